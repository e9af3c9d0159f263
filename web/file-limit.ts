import { initialPageData } from '#web/page-data.ts'

/** The maximum size of a file of a message in MB, besides pictures; 0 if the operator has turned files off. */
export const maxFileMb = initialPageData.app.maxFileMb ?? 25
