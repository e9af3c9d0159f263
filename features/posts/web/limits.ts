import { initialPageData } from '#web/page-data.ts'
import { MAX_POST_IMAGES, MAX_POST_LENGTH } from '../contract.ts'

// These limits are those that the settings had when the page was loaded. The server checks a post, reply or
// message by the limits at the time when it arrives.

/** The maximum number of characters of a post or reply that the settings of the community allow. */
export const configuredMaxPostLength = initialPageData.app.maxPostLength ?? MAX_POST_LENGTH

/** The maximum number of pictures of a post, reply or message that the settings of the community allow. */
export const configuredMaxPictureCount = initialPageData.app.maxPictures ?? MAX_POST_IMAGES
