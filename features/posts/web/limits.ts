import { initialPageData } from '#web/page-data.ts'
import { MAX_POST_IMAGES, MAX_POST_LENGTH } from '../contract.ts'

// The limits that the settings had when the page was loaded. The server checks a post, reply or message by
// the limits that apply when it arrives.

/** The maximum number of characters of a post or reply, as the admins have chosen it. */
export const configuredMaxPostLength = initialPageData.app.maxPostLength ?? MAX_POST_LENGTH

/** The maximum number of pictures of a post, reply or message, as the admins have chosen it. */
export const configuredMaxPictureCount = initialPageData.app.maxPictures ?? MAX_POST_IMAGES
