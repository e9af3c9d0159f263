import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/**
 * Returns whether the pressed key is Enter. An Enter that only confirms the conversion of Japanese text does
 * not count; Safari sends it with the key code 229 and without `isComposing`.
 */
const isEnter = ({ nativeEvent: event }: ReactKeyboardEvent) =>
  event.key === 'Enter' && !event.isComposing && event.keyCode !== 229

/**
 * Returns whether the pressed keys are Ctrl+Enter or ⌘+Enter. They send a form in which Enter alone inserts a
 * line break.
 */
export const isCtrlOrCommandEnter = (event: ReactKeyboardEvent) =>
  isEnter(event) && (event.ctrlKey || event.metaKey)

/**
 * Returns whether the pressed keys send a chat message: Enter, or on touch screens Ctrl+Enter or ⌘+Enter.
 * Shift+Enter inserts a line break.
 */
export const isSendMessageKey = (event: ReactKeyboardEvent) =>
  isEnter(event) && !event.shiftKey && (hasMouse() || event.ctrlKey || event.metaKey)

/**
 * Returns whether the main pointing device can hover, as a mouse can. Devices with a mouse usually have a
 * keyboard that does not cover the page. On devices without a mouse, Enter inserts a line break in chat
 * messages, as in other apps.
 */
export const hasMouse = () => matchMedia('(hover: hover)').matches
