import { pageData } from '#web/page-data.ts'

/** For files in messages that are not pictures; 0 if the operator has turned such files off. */
export const maxFileMb = pageData.app.maxFileMb ?? 25

/** Before it is sent, a longer video is made smaller; 0 if the operator has turned videos off. */
export const maxVideoMb = maxFileMb && (pageData.app.maxVideoMb ?? 100)
