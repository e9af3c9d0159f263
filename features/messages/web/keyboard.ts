import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import type { MessageActions } from './actions.ts'
import type { ShownMessage } from './conversation.ts'
import { messageText } from './text.ts'
import { chunkElements } from './useListScroll.ts'

// The Tab key reaches one button of the list, the menu button of the newest message; it would otherwise stop
// at hundreds. The arrow keys lead from there to other messages, and to the other buttons of a message.

const menuButtons = (within: Element) => [
  ...within.querySelectorAll<HTMLElement>('.message > .actions > button'),
]

/** The menu button first, then buttons that the Tab key leaves out, such as reactions. */
const buttonsOf = (message: Element) => [
  ...message.querySelectorAll<HTMLElement>(':scope > .actions > button'),
  ...message.querySelectorAll<HTMLElement>(':scope > :not(.actions) > button[tabindex="-1"]'),
]

/** Does nothing if the button has handled the key itself. */
export function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const target = event.target as HTMLElement
  const message = target.closest('.message')
  const buttons = message ? buttonsOf(message) : []
  const at = buttons.indexOf(target)
  if (at < 0 || event.isDefaultPrevented()) return
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[pressed(event)]
  const upOrDown = { ArrowUp: -1, ArrowDown: 1 }[pressed(event)]
  if (!sideways && !upOrDown) return
  event.preventDefault()
  if (sideways) return buttons[at + sideways]?.focus()
  focusNextMenuButton(event.currentTarget, message!, upOrDown!)
}

const menuButtonOf = (message: Element) => message.querySelector<HTMLElement>(':scope > .actions > button')

/** The next message is below (`step` is 1) or above (-1). */
function focusNextMenuButton(list: Element, message: Element, step: number) {
  const all = [...list.querySelectorAll('.message')]
  const isFar = (one: Element) => one.closest('[data-far]') !== null
  let index = all.indexOf(message) + step
  while (all[index] && !isFar(all[index]!) && !menuButtonOf(all[index]!)) index += step
  const next = all[index]
  if (!next) return
  if (!isFar(next)) return menuButtonOf(next)!.focus()
  // The page renders the message completely before the next frame, because the list jumps to it; the button
  // of its menu may be missing before.
  next.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  requestAnimationFrame(() => {
    const button = menuButtonOf(next)
    if (button) button.focus()
    else if (!isFar(next)) focusNextMenuButton(list, next, step)
  })
}

/** Searches from the end, because the list may be long. */
function findNewestMenuButton(list: HTMLElement) {
  for (const chunk of chunkElements(list).reverse()) {
    const newest = menuButtons(chunk).at(-1)
    if (newest) return newest
  }
  return undefined
}

/** The Tab key reaches no other button of the list. */
export function useSingleTabStop(list: RefObject<HTMLElement | null>, messages: readonly ShownMessage[]) {
  const reachable = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages change which menu is the newest
  useLayoutEffect(() => {
    const newest = findNewestMenuButton(list.current!)
    if (reachable.current) reachable.current.tabIndex = -1
    if (newest) newest.tabIndex = 0
    reachable.current = newest ?? null
  }, [messages])
}

/** Replies to the message whose button has the focus. */
export function useReplyShortcut({ replyTo }: MessageActions) {
  const t = useText(messageText)
  const reply = () => {
    const message = document.activeElement?.closest<HTMLElement>('[data-message]')
    if (message) replyTo(Number(message.dataset.message))
  }
  useShortcuts(t.messages, [{ keys: ['r'], description: t.keyReply, run: reply }])
}
