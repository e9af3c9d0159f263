import { removeInvisible } from './invisible-characters.ts'

/**
 * Returns an e-mail address as it was meant when it was pasted or typed with a Japanese keyboard: without
 * invisible characters and outer spaces, and with ASCII in place of full-width characters: `ａｎｎ＠ｂ。example`.
 */
export const cleanAddress = (given: string) =>
  removeInvisible(given.normalize('NFKC')).replaceAll('。', '.').trim()

/** The form in which addresses are compared and counted. */
export const foldAddress = (given: string) => cleanAddress(given).toLowerCase()
