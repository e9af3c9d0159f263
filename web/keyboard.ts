import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/** Enter, but not the one that ends a conversion of Japanese: Safari sends that with 229 and says nothing of composing. */
const isEnter = ({ nativeEvent: event }: ReactKeyboardEvent) =>
  event.key === 'Enter' && !event.isComposing && event.keyCode !== 229

/** Enter that sends where Enter alone breaks the line. */
export const isSend = (event: ReactKeyboardEvent) => isEnter(event) && (event.ctrlKey || event.metaKey)

/** Enter that sends a message; Shift breaks the line. */
export const isSendMessage = (event: ReactKeyboardEvent) =>
  isEnter(event) && !event.shiftKey && (hasMouse() || event.ctrlKey || event.metaKey)

/** Where one points with a mouse, a keyboard is at hand too, and none covers the page. With a finger, Enter breaks the line, as everywhere. */
export const hasMouse = () => matchMedia('(hover: hover)').matches
