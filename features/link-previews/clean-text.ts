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
    .replace(surplusMarks, '') // `normalize` takes quadratic time for many marks.
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
  const cleaned = removeInvisibleCharacters(line).replace(surplusMarks, '').replace(/ +/g, ' ').trim()
  const starts: number[] = []
  for (const { index } of new Intl.Segmenter().segment(cleaned)) if (starts.push(index) > max) break
  if (!starts.length) return null
  return starts.length > max ? `${cleaned.slice(0, starts[max - 1]).trimEnd()}…` : cleaned
}
