import { MAX_REPLY_EXCERPT_LENGTH } from './latest-contract.ts'

/** Matches a link, a mention or a tag at the end of a shortened text, because it may be incomplete. */
const maybeIncompleteLink = /(?:[a-z]+:\/\/|www\.|[@＠#＃])\S*$/i

/** Returns the beginning of a text, with “…” if the text is longer. No character and no link is cut. */
export function createReplyExcerpt(text: string) {
  const characters = [...text]
  if (characters.length <= MAX_REPLY_EXCERPT_LENGTH) return text
  const beginning = characters.slice(0, MAX_REPLY_EXCERPT_LENGTH).join('')
  return `${beginning.replace(maybeIncompleteLink, '').trimEnd()}…`
}
