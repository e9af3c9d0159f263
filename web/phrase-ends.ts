/** A line may break here: U+200B, which has no width. */
export const PHRASE_END = '\u200b'

const words = new Intl.Segmenter('ja', { granularity: 'word' })
const isEnd = (word: string) => /[ぁ-ゖ、。！？」）：…]$/u.test(word) && !isPolite(word)
const isBegin = (word: string) => /^[一-鿿々〇ァ-ヺ「（0-9A-Za-z]/u.test(word)
/** Belongs to the word behind it. */
const isPolite = (word: string) => word === 'お' || word === 'ご'

/**
 * A phrase ends where a word in hiragana or a closing sign meets a word that begins with kanji, katakana, a
 * digit, a Latin letter or an opening bracket.
 */
export function markPhrases(text: string) {
  if (!/[ぁ-ヺ一-鿿]/u.test(text)) return text
  const all = Array.from(words.segment(text), ({ segment }) => segment)
  return all
    .map((word, at) => {
      const before = all[at - 1]
      if (before === undefined || !(isEnd(before) || (isPolite(word) && /[ぁ-ゖ]$/u.test(before))))
        return word
      const begins = isBegin(word) || (isPolite(word) && isBegin(all[at + 1] ?? ''))
      return begins ? PHRASE_END + word : word
    })
    .join('')
}
