import type { FetchedListPage } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import type { Store } from '#web/store.ts'
import {
  type ConversationInfo,
  type ConversationState,
  type createConversationRequestFunctions,
  isGroupConversation,
  type MessageFromServer,
} from './conversation.ts'

const MAX_PAGE_SIZE = 200
/** The maximum number of pages of older messages that are loaded to reach the first unread message. */
const MAX_PAGES_TO_UNREAD = 3
/** Live messages that arrive within this many milliseconds are rendered together. */
const BATCH_TIME = 16
/**
 * How many milliseconds to wait before a failed synchronisation is tried again: `first`, then each time twice
 * as long, up to `max`.
 */
const RETRY = { first: 1000, max: 30_000 }

/**
 * Every community keeps messages and pictures for at least 30 days. The constant, in milliseconds, is one day
 * shorter, because the clock of the browser may be wrong.
 */
const KEPT = 29 * 24 * 3600_000

interface SyncOptions {
  state: Store<ConversationState>
  requests: ReturnType<typeof createConversationRequestFunctions>
  /** Adds these messages to the state. They replace loaded messages with the same ids. */
  mergeRows: (rows: readonly MessageFromServer[]) => void
  /** Called when the first page of the conversation's messages has been loaded. */
  onLoaded: (info: ConversationInfo) => void
  /** Called each time the data of the conversation was loaded. */
  onInfo: () => void
  /**
   * Called with true when live messages may have been missed, and with false when the message list is
   * complete again.
   */
  onGap: (hasGap: boolean) => void
  /**
   * Returns whether a view shows the conversation. Failed requests are retried only while a view shows it.
   */
  isShown: () => boolean
}

/**
 * Creates the functions that keep the messages of one conversation complete: they load the messages, add live
 * ones, and fetch missed ones after an interruption of the connection.
 */
export function createMessageSync(options: SyncOptions) {
  const { state, requests, mergeRows, onLoaded, onInfo, onGap, isShown } = options
  const pages = createPageLoader(options)
  /**
   * The id of a loaded message up to which the list is complete: no message between the first loaded one and
   * this one is missing.
   */
  let completeTo = 0
  /** The id of the newest message that has arrived live since the last synchronisation began. */
  let newestArrived = 0
  let hasGap = false
  let running: Promise<unknown> = Promise.resolve()
  const retry = createRetry(() => hasGap && isShown() && sync())
  const mergeSoon = createBatch(mergeRows)
  const liveChanges = createLiveChanges()

  function begin(info: ConversationInfo, { rows, next }: FetchedListPage<MessageFromServer[]>) {
    state.patch(createStartState(info, next))
    completeTo = rows.at(-1)?.id ?? 0
    mergeRows(rows)
    onInfo()
    onLoaded(info)
    return pages.loadUntilUnread()
  }

  async function load() {
    state.patch({ status: 'loading', error: null })
    await begin(await requests.info(), await requests.page())
  }

  async function fetchMissed() {
    const [info, newest] = await Promise.all([requests.info(), requests.page()])
    if (newest.next) await pages.loadBetween(completeTo, newest.rows[0]?.id ?? 0)
    if (!state.get().messages.length) state.patch({ olderUrl: newest.next })
    // The newest page may also contain new versions of messages that are loaded already.
    mergeRows(newest.rows)
    const limit = new Date(Date.now() - KEPT).toISOString()
    if ((state.get().messages[0]?.created_at ?? limit) < limit) {
      // Ignores a failed download of this code, because the next synchronisation tries again.
      const code = await import('./reload-old-messages.ts').catch(() => null)
      await code?.reloadOldMessages(options, limit)
    }
    state.patch({ info: keepIfSame(state.get().info, info), isClosed: false })
    onInfo()
    completeTo = Math.max(completeTo, newestArrived, newest.rows.at(-1)?.id ?? 0)
  }

  async function syncOnce() {
    newestArrived = 0
    try {
      await (state.get().status === 'ready' ? fetchMissed() : load())
      hasGap = false
      retry.reset()
      onGap(false)
    } catch (error) {
      if (showFailure(state, error)) retry.later()
    }
  }

  /**
   * Loads all missing messages of the conversation. Runs one at a time: a call during a run starts another
   * run after it.
   */
  async function sync() {
    hasGap = true
    onGap(true)
    await (running = running.then(() => liveChanges.load(syncOnce)))
  }

  /** Adds to the list a message that arrived live, or a changed version of a message. */
  function addLive(row: MessageFromServer) {
    const { info, isClosed } = state.get()
    // Loads the conversation, because this message may mean that the user has access to the chat now.
    if (!info) return void sync()
    if (isTooOld(row, state.get())) return
    // Opens the message box: the user may answer, because the other person has written.
    if (isClosed && !isGroupConversation(info)) state.patch({ isClosed: false })
    if (hasGap) newestArrived = Math.max(newestArrived, row.id)
    else completeTo = Math.max(completeTo, row.id)
    mergeSoon(row)
  }

  const initial = requests.initial()
  if (initial) running = liveChanges.load(() => begin(initial.info, initial.page))
  const addSent = (row: MessageFromServer) => !isTooOld(row, state.get()) && mergeRows([row])
  return { sync, loadOlder: () => pages.loadOlder(), addSent, addLive, liveChanges }
}

/** Returns `known` if both are the same, so that nothing renders again. */
const keepIfSame = (known: ConversationInfo | null, info: ConversationInfo) =>
  isSameJson(info, known) ? known : info

/** Returns the state with which a conversation begins, before its newest messages are added. */
const createStartState = (info: ConversationInfo, olderUrl: string | null) => ({
  info,
  messages: [],
  readBeforeVisit: info.last_read_id,
  olderUrl,
  error: null,
  isClosed: false,
})

/**
 * Stores the error of a failed synchronisation in the state. Returns whether the synchronisation should be
 * retried.
 */
function showFailure(state: Store<ConversationState>, error: unknown) {
  const { status, messages } = state.get()
  // Removes the conversation from the screen after a 404: the account of the other person was deleted, or
  // that person has blocked the user.
  if (isErrorWithStatus(error, 404)) {
    state.patch({ status: 'failed', error, info: null, messages: [], isClosed: true })
    return false
  }
  // Shows the messages of an earlier visit, if there are any, instead of an error page.
  if (status !== 'ready') state.patch(messages.length ? { status: 'ready' } : { status: 'failed', error })
  const isClosed = isErrorWithStatus(error, 403)
  if (isClosed) state.patch({ isClosed })
  return !isClosed && messages.length > 0
}

/**
 * Returns a function that collects messages for BATCH_TIME milliseconds and then passes them to `mergeRows`
 * together.
 */
function createBatch(mergeRows: (rows: MessageFromServer[]) => void) {
  const arrived: MessageFromServer[] = []
  return (row: MessageFromServer) => {
    if (arrived.push(row) === 1) setTimeout(() => mergeRows(arrived.splice(0)), BATCH_TIME)
  }
}

function createRetry(run: () => unknown) {
  let wait = RETRY.first
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later() {
      clearTimeout(timer)
      timer = setTimeout(run, wait)
      wait = Math.min(2 * wait, RETRY.max)
    },
    reset() {
      wait = RETRY.first
    },
  }
}

/**
 * Returns whether a message is older than all loaded ones. Such a message is ignored, because a page of older
 * messages will contain it.
 */
const isTooOld = ({ id }: MessageFromServer, { olderUrl, messages }: ConversationState) =>
  olderUrl !== null && id < (messages[0]?.id ?? 0)

/** Creates the functions that load pages of messages besides the newest page. */
function createPageLoader({ state, requests, mergeRows }: SyncOptions) {
  /** Loads the messages between the ids `after` and `before`, oldest first. */
  async function loadBetween(after: number, before: number) {
    let from: string | null = null
    for (let last = after; last < before; ) {
      const page: FetchedListPage<MessageFromServer[]> = await requests.page(
        { after, limit: MAX_PAGE_SIZE },
        from,
      )
      mergeRows(page.rows)
      from = page.next
      if (!from) break
      last = page.rows.at(-1)?.id ?? last
    }
  }

  /** Loads the page of messages before the first loaded message. */
  async function loadOlder(limit?: number) {
    const { olderUrl, olderState } = state.get()
    if (!olderUrl || olderState === 'loading') return
    state.patch({ olderState: 'loading' })
    try {
      const page = await requests.page({}, limit ? withLimit(olderUrl, limit) : olderUrl)
      state.patch({ olderUrl: page.next, olderState: 'idle' })
      mergeRows(page.rows)
    } catch {
      state.patch({ olderState: 'failed' })
    }
  }

  /**
   * Loads older pages until the first unread message is loaded, then sets the status `ready`. If the first
   * unread message is too far away, no unread divider is shown.
   */
  async function loadUntilUnread() {
    const isUnreadMissing = () => {
      const { olderUrl, messages, readBeforeVisit } = state.get()
      return olderUrl !== null && messages[0] !== undefined && messages[0].id > readBeforeVisit + 1
    }
    for (let pages = 0; pages < MAX_PAGES_TO_UNREAD && isUnreadMissing(); pages++) {
      if (state.get().olderState === 'failed') break
      await loadOlder(MAX_PAGE_SIZE)
    }
    const withoutDivider = isUnreadMissing() && { readBeforeVisit: Number.POSITIVE_INFINITY }
    state.patch({ status: 'ready', ...withoutDivider })
  }

  return { loadBetween, loadOlder, loadUntilUnread }
}

function withLimit(path: string, limit: number) {
  const url = new URL(path, location.origin)
  url.searchParams.set('limit', String(limit))
  return url.pathname + url.search
}
