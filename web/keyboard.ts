import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

type Pressed = ReactKeyboardEvent | KeyboardEvent

/**
 * Empty during the conversion of an input method, to which Enter, Esc and the arrows belong then. Safari sends
 * the key that ends a conversion after it, without `isComposing` but with the key code 229. No other file
 * reads `event.key`.
 */
export function pressed(event: Pressed) {
  const { key, isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229 ? '' : key
}

/** They send a form in which Enter alone inserts a line break. */
export const isCtrlEnter = (event: ReactKeyboardEvent) =>
  pressed(event) === 'Enter' && (event.ctrlKey || event.metaKey)

/** Enter, or on touch screens Ctrl+Enter or ⌘+Enter. Shift+Enter inserts a line break. */
export const isSendKey = (event: ReactKeyboardEvent) =>
  pressed(event) === 'Enter' && !event.shiftKey && (hasMouse() || event.ctrlKey || event.metaKey)

/** Devices with a mouse usually have a keyboard. Without it, Enter inserts a line break in messages. */
export const hasMouse = () => matchMedia('(hover: hover)').matches
