import { MAX_REPLY_EXCERPT_LENGTH } from './latest-contract.ts'

/** Matches the beginning of a link, a mention or a tag. */
const linkStart = /(?<![a-z])[a-z]+:\/\/|www\.|[@＠#＃]/i

/**
 * Returns the beginning of the text of a reply, with “…” if the text is longer. Does not end within a
 * character, link, mention or tag.
 */
export function createReplyExcerpt(text: string) {
  const characters = [...text]
  if (characters.length <= MAX_REPLY_EXCERPT_LENGTH) return text
  const beginning = characters.slice(0, MAX_REPLY_EXCERPT_LENGTH).join('')
  const lastWord = /(?<!\S)\S+$/.exec(beginning)?.[0] ?? ''
  const link = lastWord.search(linkStart)
  const cut = link < 0 ? beginning : beginning.slice(0, beginning.length - lastWord.length + link)
  return `${cut.trimEnd()}…`
}
