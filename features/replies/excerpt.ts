import { MAX_REPLY_EXCERPT_LENGTH } from './latest-contract.ts'

/**
 * Matches a link, a mention or a tag at the end of a shortened text, because the rest of it may be missing.
 */
const maybeIncompleteLink = /(?:[a-z]+:\/\/|www\.|[@＠#＃])\S*$/i

/**
 * Returns the beginning of the text of a reply, with “…” if the text is longer. Does not end within a
 * character, link, mention or tag.
 */
export function createReplyExcerpt(text: string) {
  const characters = [...text]
  if (characters.length <= MAX_REPLY_EXCERPT_LENGTH) return text
  const beginning = characters.slice(0, MAX_REPLY_EXCERPT_LENGTH).join('')
  return `${beginning.replace(maybeIncompleteLink, '').trimEnd()}…`
}
