import { pageData } from '#web/page-data.ts'

/** For files in messages that are not pictures; 0 if the operator has turned such files off. */
export const maxFileMb = pageData.app.maxFileMb ?? 25
