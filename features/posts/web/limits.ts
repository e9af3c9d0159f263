import { DEFAULT_POST_LENGTH } from '#core/community/settings-contract.ts'
import { pageData } from '#web/page-data.ts'
import { MAX_POST_IMAGES } from '../contract.ts'

// The settings when the page was loaded. The server checks by those at the time when a post arrives.

export const maxPostLength = pageData.app.maxPostLength ?? DEFAULT_POST_LENGTH

export const maxPictures = pageData.app.maxPictures ?? MAX_POST_IMAGES
