import { initialPageData } from '#web/page-data.ts'

/**
 * The maximum size in MB of a file that is sent with a message and is not a picture; 0 if the operator has
 * turned files off.
 */
export const maxMessageFileMb = initialPageData.app.maxFileMb ?? 25
