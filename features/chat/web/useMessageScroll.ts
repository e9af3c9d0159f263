import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { watchConversation } from './chat-state.ts'
import type { MessageState } from './message-state.ts'
import type { MessageStore } from './message-store.ts'
import { currentElement, firstVisible, lastVisibleId, topOf } from './visible-messages.ts'

/** Pixels from the end that still count as the end. */
const AT_END = 100
/** Pixels from the end at which a button leads back. */
const FAR_FROM_END = 300
/** Pixels of older messages that remain visible above the unread divider. */
const ABOVE_DIVIDER = 65

type ListRef = RefObject<HTMLDivElement | null>

/**
 * Opens the list at the first unread message, or at the end. Stays at the end while the reader is there;
 * elsewhere it keeps the first visible message in its place, whatever comes above or below.
 * Messages that were in sight, in a window that has the focus, are marked as read.
 */
export function useMessageScroll(list: ListRef, store: MessageStore, state: MessageState) {
  const { status, messages } = state
  const isPlaced = useRef(false)
  const [newBelow, setNewBelow] = useState(0)
  const { isAtEnd, isFarFromEnd, scrollToEnd, remember, restore } = useReadingPosition(list, () =>
    setNewBelow(0),
  )
  const newArrivals = useArrivals(store, state)

  const markVisibleAsRead = useEffectEvent(() => {
    if (!list.current || !isPlaced.current) return
    const isWatched = document.visibilityState === 'visible' && document.hasFocus()
    watchConversation(isWatched && isAtEnd.current ? store.conversation : null)
    const last = isWatched && lastVisibleId(list.current)
    if (last) store.read(isAtEnd.current ? (messages.at(-1)?.id ?? 0) : last)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of what is rendered
  useLayoutEffect(() => {
    if (!list.current || status !== 'ready') return
    const { fromOthers, isSending } = newArrivals()
    if (!isPlaced.current) {
      isPlaced.current = true
      if (!scrollToDivider(list.current)) scrollToEnd()
      return remember()
    }
    if (isSending) isAtEnd.current = true
    if (!isAtEnd.current && fromOthers) setNewBelow((before) => before + fromOthers)
    restore()
  }, [status, messages, state.outgoing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages may be in sight
  useEffect(() => markVisibleAsRead(), [messages, status])

  useListEvents(list, {
    onScroll() {
      remember()
      markVisibleAsRead()
    },
    onResize() {
      restore()
      markVisibleAsRead()
    },
    onFocusChange: () => markVisibleAsRead(),
  })
  useEffect(() => () => watchConversation(null), [])

  return { newBelow, isFarFromEnd, scrollToEnd }
}

/** What the reader looks at: the end of the list, or else the first visible message and where it is. */
function useReadingPosition(list: ListRef, onEnd: () => void) {
  const isAtEnd = useRef(true)
  const anchor = useRef<{ message: HTMLElement; top: number } | null>(null)
  const [isFarFromEnd, setIsFarFromEnd] = useState(false)

  const scrollToEnd = () => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }
  const remember = () => {
    if (!list.current) return
    const { scrollHeight, scrollTop, clientHeight } = list.current
    const distance = scrollHeight - scrollTop - clientHeight
    isAtEnd.current = distance < AT_END
    setIsFarFromEnd(distance > FAR_FROM_END)
    if (isAtEnd.current) onEnd()
    const message = firstVisible(list.current)
    anchor.current = message ? { message, top: topOf(message) } : null
  }
  const restore = () => {
    if (!list.current) return
    if (isAtEnd.current) scrollToEnd()
    else if (anchor.current) {
      const message = currentElement(list.current, anchor.current.message)
      if (message) list.current.scrollTop += topOf(message) - anchor.current.top
    }
    remember()
  }
  return { isAtEnd, isFarFromEnd, scrollToEnd, remember, restore }
}

/** Tells, at each call, what came since the call before. */
function useArrivals({ me }: MessageStore, { messages, outgoing }: MessageState) {
  const known = useRef({ lastId: 0, outgoing: 0 })
  return () => {
    const { lastId, outgoing: before } = known.current
    known.current = { lastId: messages.at(-1)?.id ?? 0, outgoing: outgoing.length }
    return {
      fromOthers: messages.filter(({ id, author }) => id > lastId && author.id !== me.id).length,
      isSending: outgoing.length > before,
    }
  }
}

/** Returns whether there is a divider. */
function scrollToDivider(list: HTMLElement) {
  const divider = list.querySelector<HTMLElement>('[data-unread]')
  if (divider) list.scrollTop += topOf(divider) - topOf(list) - ABOVE_DIVIDER
  return divider !== null
}

interface ListEvents {
  onScroll: () => void
  /** Pictures, an on-screen keyboard, a growing text field: anything that changes the heights. */
  onResize: () => void
  onFocusChange: () => void
}
function useListEvents(ref: ListRef, events: ListEvents) {
  const onScroll = useEffectEvent(events.onScroll)
  const onResize = useEffectEvent(events.onResize)
  const onFocusChange = useEffectEvent(events.onFocusChange)
  useEffect(() => {
    const list = ref.current
    if (!list) return
    let frame = 0
    const scrolled = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => onScroll())
    }
    const observer = new ResizeObserver(() => onResize())
    observer.observe(list)
    for (const child of list.children) observer.observe(child)
    const stop = new AbortController()
    const { signal } = stop
    list.addEventListener('scroll', scrolled, { passive: true, signal })
    addEventListener('focus', () => onFocusChange(), { signal })
    addEventListener('blur', () => onFocusChange(), { signal })
    document.addEventListener('visibilitychange', () => onFocusChange(), { signal })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      stop.abort()
    }
  }, [ref])
}
