/**
 * Which messages of a list are in sight. Only visible chunks are searched: a search would lay the others
 * out.
 */

export const topOf = (element: HTMLElement) => element.getBoundingClientRect().top
const bottomOf = (element: HTMLElement) => element.getBoundingClientRect().bottom
export const chunksOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('.piece')]
const messagesOf = (chunk: HTMLElement) => [...chunk.querySelectorAll<HTMLElement>('[data-message]')]

/** The first message of which a part is in sight. */
export function firstVisible(list: HTMLElement) {
  const top = topOf(list)
  const chunks = chunksOf(list)
  const first = Math.max(
    chunks.findIndex((chunk) => bottomOf(chunk) > top),
    0,
  )
  return chunks
    .slice(first, first + 2)
    .flatMap(messagesOf)
    .find((message) => bottomOf(message) > top)
}

/** The id of the newest message whose end is in sight. */
export function lastVisibleId(list: HTMLElement) {
  const bottom = bottomOf(list) + 1
  const chunks = chunksOf(list)
  const last = chunks.findLastIndex((chunk) => topOf(chunk) < bottom)
  const message = chunks
    .slice(Math.max(last - 1, 0), last + 1)
    .flatMap(messagesOf)
    .findLast((one) => bottomOf(one) <= bottom)
  return Number(message?.dataset.message ?? 0)
}

/** The element of the same message: React may have replaced it, where older messages joined its group. */
export const currentElement = (list: HTMLElement, message: HTMLElement) =>
  message.isConnected
    ? message
    : list.querySelector<HTMLElement>(`[data-message="${message.dataset.message}"]`)
