import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/**
 * Whether the key is Enter, and does not end a conversion of Japanese text. Safari sends that one with the
 * code 229, and without `isComposing`.
 */
const isEnter = ({ nativeEvent: event }: ReactKeyboardEvent) =>
  event.key === 'Enter' && !event.isComposing && event.keyCode !== 229

/** Enter that sends where Enter alone breaks the line. */
export const isSend = (event: ReactKeyboardEvent) => isEnter(event) && (event.ctrlKey || event.metaKey)

/** Enter that sends a message; Shift breaks the line. */
export const isSendMessage = (event: ReactKeyboardEvent) =>
  isEnter(event) && !event.shiftKey && (hasMouse() || event.ctrlKey || event.metaKey)

/**
 * Whether the reader has a mouse, and so a keyboard that does not cover the page. On a touch screen, Enter
 * breaks the line, as it does in other apps.
 */
export const hasMouse = () => matchMedia('(hover: hover)').matches
