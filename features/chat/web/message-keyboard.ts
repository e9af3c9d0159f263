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

/** Moves the focus to another button when an arrow key is pressed on a button of a message. */
export function moveMessageFocusByArrowKeys(event: KeyboardEvent<HTMLElement>) {
  const target = event.target as HTMLElement
  const message = target.closest('.message')
  const buttons = message ? buttonsOf(message) : []
  const at = buttons.indexOf(target)
  if (at < 0) return
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const upOrDown = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!sideways && !upOrDown) return
  event.preventDefault()
  if (sideways) return buttons[at + sideways]?.focus()
  const next = findNextMessageWithMenu(event.currentTarget, message!, upOrDown!)
  if (next) focusMenuButton(next)
}

/** Returns the next message with a menu below (`step` is 1) or above (-1) a message. */
function findNextMessageWithMenu(list: Element, message: Element, step: number) {
  const all = [...list.querySelectorAll('.message')]
  const hasMenu = (one: Element) =>
    // A message that is far from the visible area has no menu now, and gets one when it is near.
    one.closest('[data-far]') ? !one.querySelector('.deleted') : buttonsOf(one).length > 0
  let index = all.indexOf(message) + step
  while (all[index] && !hasMenu(all[index]!)) index += step
  return all[index]
}

function focusMenuButton(message: Element) {
  const focus = () => buttonsOf(message)[0]?.focus()
  if (!message.closest('[data-far]')) return focus()
  // The page renders the message completely before the next frame, because the list jumps to it.
  message.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  requestAnimationFrame(focus)
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
