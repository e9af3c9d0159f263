import { initialPageData } from '#web/page-data.ts'

/**
 * The maximum size in MB of a file in a chat message that is not a picture; 0 if the operator has turned such
 * files off.
 */
export const maxMessageFileMb = initialPageData.app.maxFileMb ?? 25
