import { type RefObject, useEffect } from 'react'

/** Milliseconds after which a touch is a long press. */
const LONG_PRESS = 500
/** Pixels that a finger may move meanwhile. */
const TOLERANCE = 10

/** A long press on a message opens its menu. A finger that moves scrolls; one on a link follows the link. */
export function useLongPress(list: RefObject<HTMLElement | null>) {
  useEffect(() => (list.current ? listenTo(list.current) : undefined), [list])
}

/** Returns how to stop. */
function listenTo(list: HTMLElement) {
  let press: { button: HTMLButtonElement; x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The menu that this touch has opened. */
  let opened: HTMLElement | null = null

  const cancel = () => {
    clearTimeout(timer)
    press = null
  }
  const open = () => {
    if (!press || !getSelection()?.isCollapsed) return cancel()
    // The focus draws the items of the menu.
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
    // The browser closes a popover when a touch outside of it ends.
    if (menu) setTimeout(() => menu.matches(':popover-open') || menu.showPopover())
  }
  /** The menu takes the place of the browser's own, and of the focus and the click at the end of the touch. */
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

/** The button of the message's menu. Null on a link or a menu, and where the message has no menu. */
const menuButton = (target: Element) =>
  target.closest('.acts, .bubble:not(.picture) a')
    ? null
    : (target.closest('.said-line')?.querySelector<HTMLButtonElement>(':scope > .acts > button') ?? null)

const menuOf = (button: HTMLButtonElement) => document.getElementById(button.getAttribute('popovertarget')!)
