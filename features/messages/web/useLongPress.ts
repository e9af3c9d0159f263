import { type RefObject, useEffect } from 'react'

/** In milliseconds. */
const LONG_PRESS = 500
/** Pixels by which the finger may move. */
const TOLERANCE = 10

/** If the finger moves, the list scrolls and no menu opens; nor does a press on a link open one. */
export function useLongPress(list: RefObject<HTMLElement | null>) {
  useEffect(() => (list.current ? handleLongPress(list.current) : undefined), [list])
}

/** Returns a function that removes the event listeners. */
function handleLongPress(list: HTMLElement) {
  let press: { button: HTMLButtonElement; x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The menu that the current touch has opened. */
  let opened: HTMLElement | null = null

  const cancel = () => {
    clearTimeout(timer)
    press = null
  }
  const open = () => {
    if (!press || !getSelection()?.isCollapsed) return cancel()
    // A menu renders its items only after its button got the focus.
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
    // The browser closes a popover at the end of a touch outside of it.
    if (menu) setTimeout(() => menu.matches(':popover-open') || menu.showPopover())
  }
  /** Prevents the browser's context menu, and the focus and click at the end of a touch that opens a menu. */
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

/** Null on a link or an open menu, or if the message has no menu. */
const menuButton = (target: Element) =>
  target.closest('.actions, .bubble:not(.picture) a')
    ? null
    : (target.closest('.message')?.querySelector<HTMLButtonElement>(':scope > .actions > button') ?? null)

const menuOf = (button: HTMLButtonElement) => document.getElementById(button.getAttribute('popovertarget')!)
