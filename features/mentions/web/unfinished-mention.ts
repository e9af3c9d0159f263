/** A mention that is being typed: `@` and the word after it, directly before the cursor. */
export interface UnfinishedMention {
  /** `start`: the position of the `@` in the text. `end`: the position of the cursor. */
  start: number
  end: number
  /** The text between the `@` and the cursor. */
  word: string
}

/**
 * The maximum length of `word` in UTF-16 code units. A longer word does not count as a mention, so the
 * browser does not search for people.
 */
const MAX_WORD_LENGTH = 50

/**
 * Matches a mention at the end of a text. As in `splitTextIntoLinksMentionsAndTags`, no Latin letter, no
 * number and none of the characters `_@＠#＃&=/` may stand directly before the `@`.
 */
const mentionAtEnd = /(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])[@＠]((?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)?)$/u

/** Returns the mention directly before the cursor of a field, or null if there is none. */
export function findUnfinishedMention({
  value,
  selectionStart: end,
  selectionEnd,
}: HTMLTextAreaElement): UnfinishedMention | null {
  if (end !== selectionEnd) return null
  const word = mentionAtEnd.exec(value.slice(0, end))?.[1]
  if (word === undefined || word.length > MAX_WORD_LENGTH) return null
  return { start: end - word.length - 1, end, word }
}

/**
 * Replaces the mention before the cursor of a field with `@handle`, and a space unless one follows already.
 * Fires an `input` event on the field, as if the member had typed the text.
 */
export function completeMention(field: HTMLTextAreaElement, handle: string) {
  const mention = findUnfinishedMention(field)
  if (!mention) return
  const space = /^\s/.test(field.value.slice(mention.end)) ? '' : ' '
  field.setRangeText(`@${handle}${space}`, mention.start, mention.end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }))
}
