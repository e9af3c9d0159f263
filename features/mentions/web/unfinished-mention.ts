/** An `@` and the word after it, directly before the cursor. */
export interface UnfinishedMention {
  /** The indexes of the `@` and of the cursor. */
  start: number
  end: number
  word: string
}

/** In UTF-16 code units; no search for a longer word. */
const MAX_WORD_LENGTH = 50

/** No Latin letter, number or any of `_@＠#＃&=/` before it, as in `splitText`. */
const mentionAtEnd = /(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])[@＠]((?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)?)$/u

export function findUnfinished({
  value,
  selectionStart: end,
  selectionEnd,
}: HTMLTextAreaElement): UnfinishedMention | null {
  if (end !== selectionEnd) return null
  const word = mentionAtEnd.exec(value.slice(0, end))?.[1]
  if (word === undefined || word.length > MAX_WORD_LENGTH) return null
  return { start: end - word.length - 1, end, word }
}

/** Adds a space unless one follows, and fires an `input` event, as if the member had typed the text. */
export function completeMention(field: HTMLTextAreaElement, handle: string) {
  const mention = findUnfinished(field)
  if (!mention) return
  const space = /^\s/.test(field.value.slice(mention.end)) ? '' : ' '
  field.setRangeText(`@${handle}${space}`, mention.start, mention.end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }))
}
