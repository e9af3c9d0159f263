import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { useKeyboardShortcuts } from '#web/shortcuts.ts'
import type { ShownMessage } from './conversation.ts'
import type { MessageActionHandlers } from './message-actions.ts'
import { chatText } from './text.ts'
import { listMessageChunkElements } from './useMessageListScrollAndMarkRead.ts'

// The keyboard control of the list of messages. The Tab key reaches only one button of the list: the menu
// button of the newest message. Otherwise the Tab key would stop at hundreds of buttons. The arrow keys lead
// from there to the other messages (up and down), and to the other buttons of a message (left and right).

const menuButtons = (within: Element) => [
  ...within.querySelectorAll<HTMLElement>('.message > .actions > button'),
]

/**
 * Returns the buttons of a message that the arrow keys reach: its menu button, and after it the buttons that
 * the Tab key leaves out, such as reactions.
 */
const buttonsOf = (message: Element) => [
  ...message.querySelectorAll<HTMLElement>(':scope > .actions > button'),
  ...message.querySelectorAll<HTMLElement>(':scope > :not(.actions) > button[tabindex="-1"]'),
]

/**
 * Moves the focus to another button when an arrow key is pressed on a button of a message, unless the button
 * has handled the key itself.
 */
export function moveMessageFocusByArrowKeys(event: KeyboardEvent<HTMLElement>) {
  const target = event.target as HTMLElement
  const message = target.closest('.message')
  const buttons = message ? buttonsOf(message) : []
  const at = buttons.indexOf(target)
  if (at < 0 || event.isDefaultPrevented()) return
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const upOrDown = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!sideways && !upOrDown) return
  event.preventDefault()
  if (sideways) return buttons[at + sideways]?.focus()
  focusNextMenuButton(event.currentTarget, message!, upOrDown!)
}

const menuButtonOf = (message: Element) => message.querySelector<HTMLElement>(':scope > .actions > button')

/** Focuses the menu button of the next message that has one, below (`step` is 1) or above (-1) a message. */
function focusNextMenuButton(list: Element, message: Element, step: number) {
  const all = [...list.querySelectorAll('.message')]
  const isFar = (one: Element) => one.closest('[data-far]') !== null
  let index = all.indexOf(message) + step
  while (all[index] && !isFar(all[index]!) && !menuButtonOf(all[index]!)) index += step
  const next = all[index]
  if (!next) return
  if (!isFar(next)) return menuButtonOf(next)!.focus()
  // The page renders the message completely before the next frame, because the list jumps to it. Before that,
  // the button of its menu may be missing.
  next.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  requestAnimationFrame(() => {
    const button = menuButtonOf(next)
    if (button) button.focus()
    else if (!isFar(next)) focusNextMenuButton(list, next, step)
  })
}

/**
 * Returns the menu button of the newest message; undefined if no message has one. Searches from the end,
 * because the list may be long.
 */
function findNewestMenuButton(list: HTMLElement) {
  for (const chunk of listMessageChunkElements(list).reverse()) {
    const newest = menuButtons(chunk).at(-1)
    if (newest) return newest
  }
  return undefined
}

/** Makes the menu button of the newest message the only button of the list that the Tab key reaches. */
export function useKeepOnlyNewestMessageMenuTabbable(
  list: RefObject<HTMLElement | null>,
  messages: readonly ShownMessage[],
) {
  const reachable = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages change which menu is the newest
  useLayoutEffect(() => {
    const newest = findNewestMenuButton(list.current!)
    if (reachable.current) reachable.current.tabIndex = -1
    if (newest) newest.tabIndex = 0
    reachable.current = newest ?? null
  }, [messages])
}

/** Adds the keyboard shortcut that begins a reply to the message whose button has the focus. */
export function useReplyShortcut({ replyTo }: MessageActionHandlers) {
  const t = useText(chatText)
  const reply = () => {
    const message = document.activeElement?.closest<HTMLElement>('[data-message]')
    if (message) replyTo(Number(message.dataset.message))
  }
  useKeyboardShortcuts(t.messages, [{ keys: ['r'], description: t.keyReply, run: reply }])
}
