import { type RefObject, useEffect } from 'react'

/** A touch of at least this many milliseconds is a long press. */
const LONG_PRESS = 500
/** The number of pixels by which the finger may move during a long press. */
const TOLERANCE = 10

/**
 * Opens the menu of a message when the user presses the message long. If the finger moves, the list scrolls
 * and no menu opens. A press on a link opens no menu either.
 */
export function useOpenMessageMenuOnLongPress(list: RefObject<HTMLElement | null>) {
  useEffect(() => (list.current ? handleLongPress(list.current) : undefined), [list])
}

/**
 * Handles the pointer, touch, scroll, click and context menu events of the message list, so that a long press
 * on a message opens its menu. Returns a function that removes the event listeners.
 */
function handleLongPress(list: HTMLElement) {
  let press: { button: HTMLButtonElement; x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The menu element that the current touch has opened; null if none. */
  let opened: HTMLElement | null = null

  const cancel = () => {
    clearTimeout(timer)
    press = null
  }
  const open = () => {
    if (!press || !getSelection()?.isCollapsed) return cancel()
    // Focuses the menu button first, because a menu renders its items only after its button got the focus.
    press.button.focus({ preventScroll: true })
    opened = menuOf(press.button)
    opened?.showPopover()
    press = null
  }
  const begin = ({ target, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
    cancel()
    opened = null
    const button = pointerType === 'touch' && isPrimary ? menuButton(target as Element) : null
    if (!button) return
    press = { button, x, y }
    timer = setTimeout(open, LONG_PRESS)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > TOLERANCE) cancel()
  }
  const end = () => {
    cancel()
    const menu = opened
    // Opens the menu again after the touch, because the browser closes a popover at the end of a touch
    // outside of it.
    if (menu) setTimeout(() => menu.matches(':popover-open') || menu.showPopover())
  }
  /**
   * Prevents the context menu of the browser, and the focus and click at the end of a touch that opens a
   * message menu.
   */
  const prevent = (event: Event) => {
    if (press || opened) event.preventDefault()
  }
  const preventAfterOpening = (event: Event) => {
    if (!opened) return
    event.preventDefault()
    event.stopPropagation()
  }

  const stop = new AbortController()
  const { signal } = stop
  list.addEventListener('pointerdown', begin, { signal })
  list.addEventListener('pointermove', move, { signal })
  list.addEventListener('pointerup', end, { signal })
  list.addEventListener('pointercancel', cancel, { signal })
  list.addEventListener('scroll', cancel, { passive: true, signal })
  list.addEventListener('contextmenu', prevent, { signal })
  list.addEventListener('touchend', preventAfterOpening, { signal, passive: false })
  list.addEventListener('click', preventAfterOpening, { capture: true, signal })
  return () => {
    cancel()
    stop.abort()
  }
}

/**
 * Returns the button that opens the menu of the touched message. Returns null if a link or an open menu was
 * touched, or if the message has no menu.
 */
const menuButton = (target: Element) =>
  target.closest('.actions, .bubble:not(.picture) a')
    ? null
    : (target.closest('.message')?.querySelector<HTMLButtonElement>(':scope > .actions > button') ?? null)

const menuOf = (button: HTMLButtonElement) => document.getElementById(button.getAttribute('popovertarget')!)
