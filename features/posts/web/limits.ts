import { pageData } from '#web/page-data.ts'
import { MAX_POST_IMAGES, MAX_POST_LENGTH } from '../contract.ts'

// The settings when the page was loaded. The server checks by those at the time when a post arrives.

export const maxPostLength = pageData.app.maxPostLength ?? MAX_POST_LENGTH

export const maxPictures = pageData.app.maxPictures ?? MAX_POST_IMAGES
