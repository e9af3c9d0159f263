import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Message } from './message.ts'
import { chunksOf } from './visible-messages.ts'

const menuButtons = (within: Element) => [
  ...within.querySelectorAll<HTMLElement>('.said-line > .acts > button'),
]

/** The arrow keys move from the menu of one message to the next. */
export function moveBetweenMenus(event: KeyboardEvent<HTMLElement>) {
  const all = menuButtons(event.currentTarget)
  const at = all.indexOf(event.target as HTMLElement)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}

/** Tab reaches only the menu of the newest message. */
export function useOneTabStop(list: RefObject<HTMLElement | null>, messages: readonly Message[]) {
  const reachable = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest menu changes with the messages
  useLayoutEffect(() => {
    const newest = chunksOf(list.current!)
      .map(menuButtons)
      .findLast((buttons) => buttons.length)
      ?.at(-1)
    if (reachable.current) reachable.current.tabIndex = -1
    if (newest) newest.tabIndex = 0
    reachable.current = newest ?? null
  }, [messages])
}
