import type { Me, Person } from '#features/people/contract.ts'
import type { Picked } from '#features/posts/web/choose-pictures.ts'
import { api, apiPage, type Rows } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { initialAnswer } from '#web/page-data.ts'
import type { Store } from '#web/store.ts'
import {
  chat,
  type Group,
  type GroupMessage,
  type GroupMessageEvent,
  groups,
  type PrivateChat,
  type PrivateMessage,
} from '../contract.ts'
import type { ConversationRef } from './chat-state.ts'

// The messages of one conversation: their shapes, the requests of both kinds of chat, and how the loaded
// messages stay complete.

/** A message of either kind of chat, as the views show it. */
export type Message = Omit<GroupMessage, 'group_id' | 'user_id' | 'user'> & { author: Person }

/** A message that is being sent, or that could not be sent. */
export interface Outgoing {
  client_id: string
  text: string
  pictures: readonly Picked[]
  at: string
  state: 'sending' | 'failed'
  /** Why it failed; null where that was in an earlier visit. */
  error: unknown
  /** Share of it that has been uploaded, 0 to 1. */
  sent: number
}

/** A message as the server sends it. */
type MessageRow = PrivateMessage | GroupMessage | GroupMessageEvent
/** A conversation as the server describes it, without its messages. */
export type ConversationInfo = PrivateChat | Group
export const isGroup = (info: ConversationInfo): info is Group => 'members_count' in info

export function toMessage(row: MessageRow, me: Me, info: ConversationInfo): Message {
  const { id, client_id, message, images, created_at, edited_at, deleted_at } = row
  const author = 'user' in row ? row.user : row.from_user_id === me.id ? me : (info as PrivateChat).user
  return { id, client_id, author, message, images, created_at, edited_at, deleted_at }
}

/** One conversation, as every view of it reads it. */
export interface MessageState {
  status: 'loading' | 'ready' | 'failed'
  error: unknown
  info: ConversationInfo | null
  /** Oldest first, without gaps from the first one on. */
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  /** Address of the page of older messages; null at the beginning of the conversation. */
  olderUrl: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /** The last message that I had read when this visit began: the divider stays after it. */
  readBeforeVisit: number
  /** The server does not let me in any more. */
  isClosed: boolean
}

// ── Requests ────────────────────────────────────────────────────────────────

/** The requests of one conversation, the same for both kinds of chat. */
export function createRequests({ kind, id }: ConversationRef) {
  const isPrivate = kind === 'private'
  const show = isPrivate ? chat.privateChat : groups.show
  const list = isPrivate ? chat.privateMessages : chat.groupMessages
  return {
    /** The answers that came with the page, or undefined. */
    initial() {
      const [info, page] = [initialAnswer(show, { id }), initialAnswer(list, { id })]
      if (!info || !page) return undefined
      return {
        info: info.body as ConversationInfo,
        page: { rows: page.body as MessageRow[], next: page.next },
      }
    },
    info: (): Promise<ConversationInfo> => api(show, { id }),
    /** The newest messages, or the page at the address `from`. */
    page: (params?: { after?: number; limit?: number }, from?: string | null): Promise<Rows<MessageRow[]>> =>
      apiPage(list, { id, ...params }, from),
    async send(message: Outgoing, onProgress: (share: number) => void): Promise<MessageRow> {
      const { client_id, text } = message
      if (isPrivate) {
        const body = { client_id, input: text, targetUserId: id }
        return (await api(chat.sendPrivate, body, uploadOf(body, message, onProgress))).message
      }
      const body = { client_id, message: text, group_id: id }
      return (await api(chat.sendGroup, body, uploadOf(body, message, onProgress))).message
    },
    markRead: (last_read_id: number) => api(isPrivate ? chat.readPrivate : groups.read, { id, last_read_id }),
  }
}

/** With pictures, a form replaces the JSON body. */
function uploadOf(body: object, { pictures }: Outgoing, onProgress: (share: number) => void) {
  if (!pictures.length) return {}
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, String(value))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return { form, onProgress }
}

// ── Synchronisation ─────────────────────────────────────────────────────────

const LARGEST_PAGE = 200
/** Pages that are loaded at most to begin at the first unread message. */
const PAGES_TO_UNREAD = 3
/** Milliseconds in which arriving messages are collected, to be rendered together. */
const BATCH_TIME = 16
/** Milliseconds before a failed catch-up is tried again; doubled each time. */
const RETRY = { first: 1000, most: 30_000 }

interface SyncOptions {
  state: Store<MessageState>
  requests: ReturnType<typeof createRequests>
  /** Adds messages to the state, or replaces those with the same ids. */
  merge: (rows: readonly MessageRow[]) => void
  /** Called with the first page. */
  onLoaded: (info: ConversationInfo) => void
  /** Called when messages may be missing, and when none are missing any more. */
  onGap: (hasGap: boolean) => void
  /** Whether a view shows the conversation: only then are failures retried. */
  isShown: () => boolean
}

/**
 * Keeps the messages of one conversation complete: loads them, takes in those that arrive live,
 * and after a gap in the connection fetches what was missed.
 */
export function createMessageSync(options: SyncOptions) {
  const { state, requests, merge, onLoaded, onGap, isShown } = options
  const pages = createPages(options)
  /** No message between the first loaded one and this id is missing. Later ones may be. */
  let completeTo = 0
  /** The newest message that arrived live since the last synchronisation began. */
  let newestArrived = 0
  let hasGap = false
  let running: Promise<unknown> = Promise.resolve()
  const retry = createRetry(() => hasGap && isShown() && sync())
  const mergeSoon = createBatch(merge)

  function begin(info: ConversationInfo, { rows, next }: Rows<MessageRow[]>) {
    state.patch({
      info,
      messages: [],
      readBeforeVisit: info.last_read_id,
      olderUrl: next,
      error: null,
      isClosed: false,
    })
    completeTo = rows.at(-1)?.id ?? 0
    merge(rows)
    onLoaded(info)
    return pages.toUnread()
  }

  async function load() {
    state.patch({ status: 'loading', error: null })
    await begin(await requests.info(), await requests.page())
  }

  async function catchUp() {
    const [info, newest] = await Promise.all([requests.info(), requests.page()])
    if (newest.next) await pages.between(completeTo, newest.rows[0]?.id ?? 0)
    if (!state.get().messages.length) state.patch({ olderUrl: newest.next })
    // The newest page also brings edits of messages that are loaded already.
    merge(newest.rows)
    state.patch({ info, isClosed: false })
    completeTo = Math.max(completeTo, newestArrived, newest.rows.at(-1)?.id ?? 0)
  }

  async function syncOnce() {
    newestArrived = 0
    try {
      await (state.get().status === 'ready' ? catchUp() : load())
      hasGap = false
      retry.reset()
      onGap(false)
    } catch (error) {
      if (showFailure(state, error)) retry.later()
    }
  }

  /** Runs one after the other: a call during a run waits for a run of its own. */
  async function sync() {
    hasGap = true
    onGap(true)
    await (running = running.then(syncOnce))
  }

  /** A message arrived live, or was changed. */
  function messageArrived(row: MessageRow) {
    const { info, isClosed } = state.get()
    // The message may have opened a chat that was closed to me.
    if (!info) return void sync()
    if (isTooOld(row, state.get())) return
    // A message from the other person allows me to answer.
    if (isClosed && !isGroup(info)) state.patch({ isClosed: false })
    if (hasGap) newestArrived = Math.max(newestArrived, row.id)
    else completeTo = Math.max(completeTo, row.id)
    mergeSoon(row)
  }

  const initial = requests.initial()
  if (initial) running = begin(initial.info, initial.page)
  const addSent = (row: MessageRow) => !isTooOld(row, state.get()) && merge([row])
  return { sync, loadOlder: () => pages.older(), addSent, messageArrived }
}

/** Shows that messages could not be loaded. Returns whether to try again. */
function showFailure(state: Store<MessageState>, error: unknown) {
  const { status, messages } = state.get()
  // Messages of an earlier visit are better than an error page.
  if (status !== 'ready') state.patch(messages.length ? { status: 'ready' } : { status: 'failed', error })
  const isClosed = isHttpError(error, 403) || isHttpError(error, 404)
  if (isClosed) state.patch({ isClosed })
  return !isClosed && messages.length > 0
}

/** Hands over in one go what arrives within BATCH_TIME. */
function createBatch(merge: (rows: MessageRow[]) => void) {
  const arrived: MessageRow[] = []
  return (row: MessageRow) => {
    if (arrived.push(row) === 1) setTimeout(() => merge(arrived.splice(0)), BATCH_TIME)
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

/** A row that is older than everything loaded is left to the pages of older messages. */
const isTooOld = ({ id }: MessageRow, { olderUrl, messages }: MessageState) =>
  olderUrl !== null && id < (messages[0]?.id ?? 0)

/** Loads pages of messages besides the newest. */
function createPages({ state, requests, merge }: SyncOptions) {
  /** Loads the messages between two ids in their order. */
  async function between(after: number, before: number) {
    let from: string | null = null
    for (let last = after; last < before; ) {
      const page: Rows<MessageRow[]> = await requests.page({ after, limit: LARGEST_PAGE }, from)
      merge(page.rows)
      from = page.next
      if (!from) break
      last = page.rows.at(-1)?.id ?? last
    }
  }

  /** Loads the page before the first loaded message. */
  async function older(limit?: number) {
    const { olderUrl, olderState } = state.get()
    if (!olderUrl || olderState === 'loading') return
    state.patch({ olderState: 'loading' })
    try {
      const page = await requests.page({}, limit ? withLimit(olderUrl, limit) : olderUrl)
      state.patch({ olderUrl: page.next, olderState: 'idle' })
      merge(page.rows)
    } catch {
      state.patch({ olderState: 'failed' })
    }
  }

  /** Ends with the status `ready`. Where the first unread message is too far away, there is no divider. */
  async function toUnread() {
    const isUnreadMissing = () => {
      const { olderUrl, messages, readBeforeVisit } = state.get()
      return olderUrl !== null && messages[0] !== undefined && messages[0].id > readBeforeVisit + 1
    }
    for (let pages = 0; pages < PAGES_TO_UNREAD && isUnreadMissing(); pages++) {
      if (state.get().olderState === 'failed') break
      await older(LARGEST_PAGE)
    }
    const withoutDivider = isUnreadMissing() && { readBeforeVisit: Number.POSITIVE_INFINITY }
    state.patch({ status: 'ready', ...withoutDivider })
  }

  return { between, older, toUnread }
}

function withLimit(address: string, limit: number) {
  const url = new URL(address, location.origin)
  url.searchParams.set('limit', String(limit))
  return url.pathname + url.search
}
