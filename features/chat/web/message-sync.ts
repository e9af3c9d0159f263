import type { Rows } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { type ConversationInfo, isGroup, type Message, type MessageRow } from './message.ts'
import type { MessageApi } from './message-api.ts'
import type { MessageState } from './message-state.ts'
import type { Outbox } from './outbox.ts'
import type { ReadMark } from './read-mark.ts'

const LARGEST_PAGE = 200
/** Pages that are loaded at most to begin at the first unread message. */
const PAGES_TO_UNREAD = 3
/** Milliseconds in which arriving messages are collected, to be rendered together. */
const BATCH_TIME = 16
/** Milliseconds before a failed catch-up is tried again; doubled each time. */
const RETRY = { first: 1000, most: 30_000 }

interface SyncOptions {
  state: Store<MessageState>
  requests: MessageApi
  toMessage: (row: MessageRow) => Message
  merge: (messages: readonly Message[]) => void
  readMark: ReadMark
  restoreOutbox: Outbox['restore']
  /** Whether a view shows the conversation: only then are failures retried. */
  isShown: () => boolean
}

/**
 * Keeps the messages of one conversation complete: loads them, takes in those that arrive live,
 * and after a gap in the connection fetches what was missed.
 */
export function createMessageSync(options: SyncOptions) {
  const { state, requests, toMessage, merge, readMark, restoreOutbox, isShown } = options
  /** No message between the first loaded one and this id is missing. Later ones may be. */
  let completeTo = 0
  /** The newest message that arrived live since the last synchronisation began. */
  let newestArrived = 0
  let hasGap = false
  let running: Promise<unknown> = Promise.resolve()
  const older = createOlderMessages(options)
  const arrivals = createBatch(merge)
  const retry = createRetry(() => hasGap && isShown() && sync())

  function begin(info: ConversationInfo, { rows, next: olderUrl }: Rows<MessageRow[]>) {
    const readBeforeVisit = info.last_read_id
    state.patch({ info, messages: [], readBeforeVisit, olderUrl, error: null, isClosed: false })
    readMark.startAt(readBeforeVisit)
    completeTo = rows.at(-1)?.id ?? 0
    merge(rows.map(toMessage))
    void restoreOutbox((id) => state.get().messages.some(({ client_id }) => client_id === id))
    return older.loadToUnread()
  }

  async function load() {
    state.patch({ status: 'loading', error: null })
    await begin(await requests.info(), await requests.page())
  }

  async function catchUp() {
    const [info, newest] = await Promise.all([requests.info(), requests.page()])
    if (newest.next) await fetchBetween(options, completeTo, newest.rows[0]?.id ?? 0)
    if (!state.get().messages.length) state.patch({ olderUrl: newest.next })
    // Also what was changed among the newest.
    merge(newest.rows.map(toMessage))
    state.patch({ info })
    completeTo = Math.max(completeTo, newestArrived, newest.rows.at(-1)?.id ?? 0)
  }

  async function syncOnce() {
    newestArrived = 0
    try {
      await (state.get().status === 'ready' ? catchUp() : load())
      hasGap = false
      retry.reset()
      readMark.resume()
    } catch (error) {
      const { status, messages } = state.get()
      // Messages of an earlier visit are better than an error page.
      if (status !== 'ready') state.patch(messages.length ? { status: 'ready' } : { status: 'failed', error })
      if (messages.length) retry.later()
    }
  }

  /** Runs one after the other: a call during a run waits for a run of its own. */
  async function sync() {
    hasGap = true
    readMark.pause()
    await (running = running.then(syncOnce))
  }

  const initial = requests.initial()
  if (initial) running = begin(initial.info, initial.page)

  return {
    sync,
    loadOlder: () => older.load(),
    addSent(row: MessageRow) {
      if (!isTooOld(row, state.get())) merge([toMessage(row)])
    },
    /** A message arrived live, or was changed. */
    messageArrived(row: MessageRow) {
      const { info, isClosed } = state.get()
      if (!info || isTooOld(row, state.get())) return
      // Who writes to me lets me answer.
      if (isClosed && !isGroup(info)) state.patch({ isClosed: false })
      if (hasGap) newestArrived = Math.max(newestArrived, row.id)
      else completeTo = Math.max(completeTo, row.id)
      arrivals.add(toMessage(row))
    },
  }
}

/** A row that is older than everything loaded is left to the pages of older messages. */
const isTooOld = ({ id }: MessageRow, { olderUrl, messages }: MessageState) =>
  olderUrl !== null && id < (messages[0]?.id ?? 0)

type PageOptions = Pick<SyncOptions, 'state' | 'requests' | 'toMessage' | 'merge'>

/** Fetches the messages between two ids in their order. */
async function fetchBetween({ requests, toMessage, merge }: PageOptions, after: number, before: number) {
  let from: string | null = null
  let last = after
  while (last < before) {
    const page: Rows<MessageRow[]> = await requests.page({ after, limit: LARGEST_PAGE }, from)
    merge(page.rows.map(toMessage))
    from = page.next
    if (!from) break
    last = page.rows.at(-1)?.id ?? last
  }
}

/** Loads pages before the first loaded message. */
function createOlderMessages({ state, requests, toMessage, merge }: PageOptions) {
  async function load(limit?: number) {
    const { olderUrl, olderState } = state.get()
    if (!olderUrl || olderState === 'loading') return
    state.patch({ olderState: 'loading' })
    try {
      const page = await requests.page({}, limit ? withLimit(olderUrl, limit) : olderUrl)
      state.patch({ olderUrl: page.next, olderState: 'idle' })
      merge(page.rows.map(toMessage))
    } catch {
      state.patch({ olderState: 'failed' })
    }
  }
  const isUnreadMissing = () => {
    const { olderUrl, messages, readBeforeVisit } = state.get()
    return olderUrl !== null && messages[0] !== undefined && messages[0].id > readBeforeVisit + 1
  }
  /** Ends with the status `ready`. Where the first unread message is too far away, there is no divider. */
  async function loadToUnread() {
    for (let pages = 0; pages < PAGES_TO_UNREAD && isUnreadMissing(); pages++) {
      if (state.get().olderState === 'failed') break
      await load(LARGEST_PAGE)
    }
    state.patch({
      status: 'ready',
      ...(isUnreadMissing() && { readBeforeVisit: Number.POSITIVE_INFINITY }),
    })
  }
  return { load, loadToUnread }
}

function withLimit(address: string, limit: number) {
  const url = new URL(address, location.origin)
  url.searchParams.set('limit', String(limit))
  return url.pathname + url.search
}

/** Collects messages for a moment and merges them together. */
function createBatch(merge: SyncOptions['merge']) {
  const messages: Message[] = []
  return {
    add(message: Message) {
      if (messages.push(message) === 1) setTimeout(() => merge(messages.splice(0)), BATCH_TIME)
    },
  }
}

function createRetry(run: () => unknown) {
  let wait = RETRY.first
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later() {
      clearTimeout(timer)
      timer = setTimeout(run, wait)
      wait = Math.min(2 * wait, RETRY.most)
    },
    reset() {
      wait = RETRY.first
    },
  }
}
