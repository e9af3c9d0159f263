import type { ListPage } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import type { Store } from '#web/store.ts'
import {
  type ConversationInfo,
  type ConversationState,
  type createRequests,
  isGroup,
  type ServerMessage,
} from './conversation.ts'

const MAX_PAGE_SIZE = 200
/** Pages that are loaded at most to reach the first unread message. */
const MAX_PAGES_TO_UNREAD = 3
/** In milliseconds: live messages that arrive within it are rendered together. */
const BATCH_TIME = 16
/** Milliseconds before a failed synchronisation is tried again: `first`, then each time twice as long. */
const RETRY = { first: 1000, max: 30_000 }

/**
 * Every community keeps messages and pictures for at least 30 days. In milliseconds, one day shorter, because
 * the clock of the browser may be wrong.
 */
const KEPT = 29 * 24 * 3600_000

interface SyncOptions {
  state: Store<ConversationState>
  requests: ReturnType<typeof createRequests>
  /** They replace loaded messages with the same ids. */
  mergeRows: (rows: readonly ServerMessage[]) => void
  onLoaded: (info: ConversationInfo) => void
  onInfo: () => void
  /** True when live messages may have been missed, false when the list is complete again. */
  onGap: (hasGap: boolean) => void
  /** Failed requests are retried only while a view shows the conversation. */
  isShown: () => boolean
}

/** Loads the messages, adds live ones, and fetches missed ones after an interruption of the connection. */
export function createSync(options: SyncOptions) {
  const { state, requests, mergeRows, onLoaded, onInfo, onGap, isShown } = options
  const pages = createPageLoader(options)
  /** No message is missing between the first loaded one and this one. */
  let completeTo = 0
  /** The newest message that has arrived live since the last synchronisation began. */
  let newestArrived = 0
  let hasGap = false
  let running: Promise<unknown> = Promise.resolve()
  const retry = createRetry(() => hasGap && isShown() && sync())
  const mergeSoon = createBatch(mergeRows)
  const liveChanges = createLiveChanges()

  function begin(info: ConversationInfo, { rows, next }: ListPage<ServerMessage[]>) {
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
    // May also contain new versions of messages that are loaded already.
    mergeRows(newest.rows)
    const limit = new Date(Date.now() - KEPT).toISOString()
    if ((state.get().messages[0]?.created_at ?? limit) < limit) {
      // The next synchronisation tries again.
      const code = await import('./reload-old.ts').catch(() => null)
      await code?.reloadOld(options, limit)
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

  /** Runs one at a time: a call during a run starts another run after it. */
  async function sync() {
    hasGap = true
    onGap(true)
    await (running = running.then(() => liveChanges.load(syncOnce)))
  }

  function addLive(row: ServerMessage) {
    const { info, isClosed } = state.get()
    // This message may mean that the user has access to the chat now.
    if (!info) return void sync()
    if (isTooOld(row, state.get())) return
    // The user may answer, because the other person has written.
    if (isClosed && !isGroup(info)) state.patch({ isClosed: false })
    if (hasGap) newestArrived = Math.max(newestArrived, row.id)
    else completeTo = Math.max(completeTo, row.id)
    mergeSoon(row)
  }

  const initial = requests.initial()
  if (initial) running = liveChanges.load(() => begin(initial.info, initial.page))
  const addSent = (row: ServerMessage) => !isTooOld(row, state.get()) && mergeRows([row])
  return { sync, loadOlder: () => pages.loadOlder(), addSent, addLive, liveChanges }
}

/** So that nothing renders again. */
const keepIfSame = (known: ConversationInfo | null, info: ConversationInfo) =>
  isSameJson(info, known) ? known : info

const createStartState = (info: ConversationInfo, olderUrl: string | null) => ({
  info,
  messages: [],
  readBeforeVisit: info.last_read_id,
  olderUrl,
  error: null,
  isClosed: false,
})

/** Returns whether to retry. */
function showFailure(state: Store<ConversationState>, error: unknown) {
  const { status, messages } = state.get()
  // 404: the account of the other person was deleted, or that person has blocked the user.
  if (hasStatus(error, 404)) {
    state.patch({ status: 'failed', error, info: null, messages: [], isClosed: true })
    return false
  }
  // The messages of an earlier visit, if there are any, instead of an error page.
  if (status !== 'ready') state.patch(messages.length ? { status: 'ready' } : { status: 'failed', error })
  const isClosed = hasStatus(error, 403)
  if (isClosed) state.patch({ isClosed })
  return !isClosed && messages.length > 0
}

/** Passes the messages of BATCH_TIME on together. */
function createBatch(mergeRows: (rows: ServerMessage[]) => void) {
  const arrived: ServerMessage[] = []
  return (row: ServerMessage) => {
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

/** A page of older messages will contain it. */
const isTooOld = ({ id }: ServerMessage, { olderUrl, messages }: ConversationState) =>
  olderUrl !== null && id < (messages[0]?.id ?? 0)

function createPageLoader({ state, requests, mergeRows }: SyncOptions) {
  /** Oldest first. */
  async function loadBetween(after: number, before: number) {
    let from: string | null = null
    for (let last = after; last < before; ) {
      const page: ListPage<ServerMessage[]> = await requests.page({ after, limit: MAX_PAGE_SIZE }, from)
      mergeRows(page.rows)
      from = page.next
      if (!from) break
      last = page.rows.at(-1)?.id ?? last
    }
  }

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

  /** Sets the status `ready`. If the first unread message is too far away, no divider is shown. */
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
