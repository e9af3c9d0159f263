import { removeInvisible } from '#core/text/invisible-characters.ts'
import { limitMarks } from '#core/text/marks.ts'
import { shorten } from '#core/text/shorten.ts'

/**
 * One line of at most `max` characters, without control characters, characters that change the writing
 * direction, and other invisible ones. Null if nothing is left.
 */
export function cleanText(text: string | undefined, max: number) {
  // Shortened first, so that a huge text costs little time.
  const line = limitMarks((text ?? '').slice(0, 20 * max).toWellFormed())
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
  const cleaned = limitMarks(removeInvisible(line)).replace(/ +/g, ' ').trim()
  return cleaned ? shorten(cleaned, max) : null
}
