import { removeInvisibleCharacters } from '#core/invisible-characters.ts'

/**
 * Matches the combining marks of a letter after its fourth mark, which are removed. The letters of all
 * languages have at most four.
 */
const surplusMarks = /(?<=\p{M}{4})\p{M}+/gu

/**
 * Turns a text from a web page into one line of plain text with at most `max` characters. Removes control
 * characters, characters that change the writing direction, and other invisible characters. Returns null
 * if nothing is left.
 */
export function cleanLinkPreviewText(text: string | undefined, max: number) {
  // Shortens the text before it is cleaned, so that a huge text costs little time.
  const line = (text ?? '')
    .slice(0, 20 * max)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
  const cleaned = removeInvisibleCharacters(line).replace(surplusMarks, '').replace(/ +/g, ' ').trim()
  const characters = [...new Intl.Segmenter().segment(cleaned)].map(({ segment }) => segment)
  if (!characters.length) return null
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : cleaned
}
