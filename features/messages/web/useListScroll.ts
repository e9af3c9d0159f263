import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import * as chatState from '#features/conversations/web/state.ts'
import { highlightBriefly } from '#web/highlight.ts'
import type { ConversationState, ShownMessage } from './conversation.ts'
import type { MessageStore } from './store.ts'

/** With fewer pixels below the visible part, the reader counts as being at the end. */
const AT_END = 100
/** With more pixels below the visible part, a button scrolls to the end. */
const FAR_FROM_END = 300
/** With fewer pixels below the visible part, the messages after earlier ones shown alone are loaded. */
const NEAR_END = 800
/** Pixels of older messages that stay visible above the unread divider. */
const ABOVE_DIVIDER = 65

type ListRef = RefObject<HTMLDivElement | null>

/**
 * Opens at the first unread message, or at the end. At the end, the list stays there when messages arrive;
 * otherwise the first visible message keeps its place. Messages are read when they are visible and the window
 * has the focus.
 */
export function useListScroll(list: ListRef, store: MessageStore, state: ConversationState) {
  const { status, messages, window, target } = state
  const hasInitialScroll = useRef(false)
  const [newBelow, changeNewBelow] = useStateChange(0)
  const { isAtEnd, isFarFromEnd, scrollToEnd, remember, restore } = useReadingPosition(
    list,
    window !== null,
    () => changeNewBelow(() => 0),
  )
  const newArrivals = useNewMessages(store, state)

  const markVisibleAsRead = useEffectEvent(() => {
    if (!list.current || !hasInitialScroll.current) return
    // Earlier messages shown alone are not marked as read, because newer ones may be unread.
    if (window) return chatState.setVisible(null)
    const isWatched = document.visibilityState === 'visible' && document.hasFocus()
    chatState.setVisible(isWatched && isAtEnd.current ? store.conversation : null)
    if (isWatched)
      store.markReadUpTo(isAtEnd.current ? (messages.at(-1)?.id ?? 0) : lastVisibleId(list.current))
  })

  // Waits for the style sheet: without it, the list is as tall as its messages and cannot scroll, and the
  // first unread message would count as shown. The resize listener calls this again.
  const scrollInitially = () => {
    if (!list.current || list.current.clientHeight > innerHeight) return
    hasInitialScroll.current = true
    if (!scrollToDivider(list.current)) scrollToEnd()
    remember()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of what is rendered
  useLayoutEffect(() => {
    if (!list.current || status !== 'ready') return
    const { fromOthers, isSending } = newArrivals()
    if (!hasInitialScroll.current) return scrollInitially()
    if (isSending) isAtEnd.current = true
    if (!isAtEnd.current && fromOthers) changeNewBelow((before) => before + fromOthers)
    restore()
  }, [status, messages, state.outgoing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the target may be rendered only now
  useLayoutEffect(() => {
    const element = target !== null && list.current && findMessage(list.current, target)
    if (!element) return
    isAtEnd.current = false
    element.scrollIntoView({ block: 'center' })
    remember()
    highlight(element)
    store.state.patch({ target: null })
  }, [target, messages])

  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages may have become visible
  useEffect(() => markVisibleAsRead(), [messages, status])

  const onScroll = useEffectEvent(() => {
    if (!hasInitialScroll.current) return
    remember()
    markVisibleAsRead()
    if (window && list.current && distanceToEnd(list.current) < NEAR_END) void window.loadNewer()
  })
  const onResize = useEffectEvent(() => {
    if (hasInitialScroll.current) restore()
    else if (status === 'ready') scrollInitially()
    markVisibleAsRead()
  })
  useEffect(() => {
    const options = {
      onScroll: () => onScroll(),
      onResize: () => onResize(),
      onFocus: () => markVisibleAsRead(),
    }
    return list.current ? observeList(list.current, options) : undefined
  }, [list])
  useEffect(() => () => chatState.setVisible(null), [])

  return { newBelow, isFarFromEnd, scrollToEnd }
}

/**
 * Unlike `useState`, does nothing if the state stays the same: React would render the component once more if
 * it has just been updated, and the list calls this after each change of its messages.
 */
function useStateChange<T>(initial: T) {
  const [state, setState] = useState(initial)
  const latest = useRef(initial)
  const change = (toNext: (before: T) => T) => {
    const next = toNext(latest.current)
    if (next === latest.current) return
    latest.current = next
    setState(next)
  }
  return [state, change] as const
}

/** The position is the end of the list, or the first visible message and its offset. */
function useReadingPosition(list: ListRef, isPartial: boolean, onEnd: () => void) {
  const isAtEnd = useRef(true)
  const anchor = useRef<{ message: HTMLElement; top: number } | null>(null)
  const [isFarFromEnd, changeIsFarFromEnd] = useStateChange(false)

  const scrollToEnd = () => {
    isAtEnd.current = true
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }
  const remember = () => {
    if (!list.current) return
    const distance = distanceToEnd(list.current)
    // The end of a partial list is not the end of the conversation.
    isAtEnd.current = distance < AT_END && !isPartial
    changeIsFarFromEnd(() => distance > FAR_FROM_END)
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

/** Since the last call: how many messages of others have arrived, and whether the user has begun to send. */
function useNewMessages({ me }: MessageStore, { messages, outgoing, window }: ConversationState) {
  const known = useRef({ lastId: 0, outgoing: 0, isPartial: false })
  return () => {
    const { lastId, outgoing: before, isPartial } = known.current
    known.current = {
      ...{ lastId: messages.at(-1)?.id ?? 0, outgoing: outgoing.length },
      isPartial: window !== null,
    }
    const isNew = ({ id, author }: ShownMessage) => id > lastId && author.id !== me.id
    return {
      // Messages that appear again after a part of the conversation are not new.
      fromOthers: window || isPartial ? 0 : messages.filter(isNew).length,
      isSending: outgoing.length > before,
    }
  }
}

/** False if there is none. */
function scrollToDivider(list: HTMLElement) {
  const divider = list.querySelector<HTMLElement>('[data-unread]')
  if (divider) list.scrollTop += topOf(divider) - topOf(list) - ABOVE_DIVIDER
  return divider !== null
}

interface ListEvents {
  onScroll: () => void
  /** Also of the content, for example when a picture has loaded or the on-screen keyboard opens. */
  onResize: () => void
  /** Also when the window becomes hidden or visible. */
  onFocus: () => void
}
/** Returns a function that removes the listeners. */
function observeList(list: HTMLElement, { onScroll, onResize, onFocus }: ListEvents) {
  let frame = 0
  const scrolled = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(onScroll)
  }
  const observer = new ResizeObserver(onResize)
  observer.observe(list)
  for (const child of list.children) observer.observe(child)
  const stop = new AbortController()
  const { signal } = stop
  list.addEventListener('scroll', scrolled, { passive: true, signal })
  for (const event of ['focus', 'blur']) addEventListener(event, onFocus, { signal })
  document.addEventListener('visibilitychange', onFocus, { signal })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    stop.abort()
  }
}

// Only visible chunks are searched, because searching the others would make the browser lay them out.

const distanceToEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight
const topOf = (element: HTMLElement) => element.getBoundingClientRect().top
const bottomOf = (element: HTMLElement) => element.getBoundingClientRect().bottom
/** The children of one element: a search for all of them would visit every element of the list. */
export const chunkElements = (list: HTMLElement) => [
  ...((list.querySelector('.message-chunk')?.parentElement?.children ?? []) as Iterable<HTMLElement>),
]
const messagesOf = (chunk: HTMLElement) => [...chunk.querySelectorAll<HTMLElement>('[data-message]')]

/** At least partly visible. */
function firstVisible(list: HTMLElement) {
  const top = topOf(list)
  const chunks = chunkElements(list)
  const first = Math.max(
    chunks.findIndex((chunk) => bottomOf(chunk) > top),
    0,
  )
  return chunks
    .slice(first, first + 2)
    .flatMap(messagesOf)
    .find((message) => bottomOf(message) > top)
}

/** The newest message whose end is visible. */
function lastVisibleId(list: HTMLElement) {
  const bottom = bottomOf(list) + 1
  const chunks = chunkElements(list)
  const last = chunks.findLastIndex((chunk) => topOf(chunk) < bottom)
  const message = chunks
    .slice(Math.max(last - 1, 0), last + 1)
    .flatMap(messagesOf)
    .findLast((one) => bottomOf(one) <= bottom)
  return Number(message?.dataset.message ?? 0)
}

/** React may have replaced the element when older messages joined its message group. */
const currentElement = (list: HTMLElement, message: HTMLElement) =>
  message.isConnected ? message : findMessage(list, message.dataset.message)

const findMessage = (list: HTMLElement, id: number | string | undefined) =>
  list.querySelector<HTMLElement>(`[data-message="${id}"]`)

/** Also moves the focus to the button of its menu. */
function highlight(message: HTMLElement) {
  highlightBriefly(message)
  message.querySelector<HTMLElement>('.actions > button')?.focus({ preventScroll: true })
}
