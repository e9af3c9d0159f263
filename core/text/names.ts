import { removeInvisible } from './invisible-characters.ts'
import { limitMarks } from './marks.ts'

/** On one line and in NFC, without invisible characters and surplus marks. */
export const cleanName = (given: string) =>
  limitMarks(removeInvisible(given.replace(/[^\S\uFEFF]+/g, ' ')))
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim()

/** A letter, a digit, a symbol or an emoji. Punctuation alone is no name. */
export const hasLetter = (name: string) => /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u.test(name)
