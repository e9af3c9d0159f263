/** A mention that the member is typing: an `@` and the word after it, directly before the cursor. */
export interface UnfinishedMention {
  /** `start` is the index of the `@` in the text, and `end` the index of the cursor. */
  start: number
  end: number
  /** The part of the text between the `@` and the cursor. */
  word: string
}

/**
 * The maximum length of the word after `@`, in UTF-16 code units. The browser does not search for people by a
 * longer word.
 */
const MAX_WORD_LENGTH = 50

/**
 * Matches an `@` and a word at the end of a text. As in `splitTextIntoLinksMentionsAndTags`, no Latin letter,
 * no number and none of the characters `_@＠#＃&=/` may stand directly before the `@`.
 */
const mentionAtEnd = /(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])[@＠]((?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)?)$/u

/** Returns the mention directly before the cursor of a text area; null if there is none. */
export function findUnfinishedMentionInTextArea({
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
 * Replaces the unfinished mention before the cursor of a text area with `@handle`, and adds a space unless
 * one follows already. Fires an `input` event on the text area, as if the member had typed the text.
 */
export function completeMentionInTextArea(field: HTMLTextAreaElement, handle: string) {
  const mention = findUnfinishedMentionInTextArea(field)
  if (!mention) return
  const space = /^\s/.test(field.value.slice(mention.end)) ? '' : ' '
  field.setRangeText(`@${handle}${space}`, mention.start, mention.end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }))
}
