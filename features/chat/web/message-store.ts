import { del, entries, set } from 'idb-keyval'
import { useEffect, useState } from 'react'
import { channelName } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { fromStored, type Picked, type StoredPicture, toStored } from '#features/posts/web/choose-pictures.ts'
import { ApiError, api } from '#web/api.ts'
import { whenReconnected } from '#web/connection.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { newId } from '#web/id.ts'
import { useChannel } from '#web/realtime.ts'
import { createStore, type Store, useStore } from '#web/store.ts'
import { channels, chat, type GroupChange, pairOf } from '../contract.ts'
import { type ConversationRef, conversationKey, growth, setUnread, unreadOf } from './chat-state.ts'
import { isListening, listenToConversation } from './chat-sync.ts'
import {
  createMessageSync,
  createRequests,
  isGroup,
  type Message,
  type MessageState,
  type Outgoing,
  toMessage,
} from './messages.ts'

// ── The store of one conversation ───────────────────────────────────────────

/** Every conversation that was opened keeps its messages until the page is left or another member logs in. */
const stores = new Map<string, MessageStore>()
function storeOf(conversation: ConversationRef, me: Me) {
  const key = conversationKey(conversation)
  const known = stores.get(key)
  if (known?.me.id === me.id && !known.state.get().isClosed) return known
  const created = createMessageStore(conversation, me)
  stores.set(key, created)
  return created
}

/** The channel of a conversation, which all its members subscribe to. */
export const channelOf = ({ kind, id }: ConversationRef, me: number) =>
  kind === 'private' ? channelName(channels.pair, pairOf(id, me)) : channelName(channels.group, { group: id })

/** The store of a conversation, kept up to date while it is shown. */
export function useMessageStore(conversation: ConversationRef, me: Me) {
  // The visit begins before the first render, which would else show the state of the last visit.
  const [store] = useState(() => {
    const opened = storeOf(conversation, me)
    opened.beginVisit()
    return opened
  })
  const state = useStore(store.state)
  useEffect(() => {
    if (store.state.get().status !== 'ready') void store.sync()
    return listenToConversation(store.conversation, store)
  }, [store])
  useEffect(() => whenReconnected(store.resumeSending), [store])
  useChannel(channelName(channels.user, { user: me.id }), {
    subscribed: () => void store.sync().then(store.resumeSending),
  })
  useChannel(state.info ? channelOf(conversation, me.id) : null, {
    refused: (status) => status === 403 && store.state.patch({ isClosed: true }),
    events: {
      MessagesRead: ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
        user_id !== me.id && setReadByOther(store.state, user_id, last_read_id),
    },
  })
  return { store, state }
}

export type MessageStore = ReturnType<typeof createMessageStore>

/** The state of one conversation, and everything that changes it. */
function createMessageStore(conversation: ConversationRef, me: Me) {
  const state = createStore<MessageState>({
    status: 'loading',
    error: null,
    info: null,
    messages: [],
    outgoing: [],
    olderUrl: null,
    olderState: 'idle',
    readBeforeVisit: 0,
    isClosed: false,
  })
  const requests = createRequests(conversation)
  const outbox = createOutbox(
    `engawa:outbox:${me.id}:${conversationKey(conversation)}`,
    state,
    async (message, onProgress) => sync.addSent(await requests.send(message, onProgress)),
  )
  const merge = (messages: readonly Message[]) => {
    state.patch({ messages: mergeById(state.get().messages, messages) })
    for (const { client_id, author } of messages)
      if (client_id && author.id === me.id) outbox.discard(client_id)
  }
  const readMark = createReadMark(requests.markRead, (last) => {
    const unread = state.get().messages.filter(({ id, author }) => id > last && author.id !== me.id)
    setUnread(conversation, unread.length)
  })
  const sync = createMessageSync({
    state,
    requests,
    merge: (rows) => merge(rows.map((row) => toMessage(row, me, state.get().info!))),
    onLoaded: ({ last_read_id }) => {
      readMark.startAt(last_read_id)
      void outbox.restore()
    },
    onGap: readMark.setPaused,
    isShown: () => isListening(conversation),
  })
  let visits = 0

  function change(message: Message, answer: Pick<Message, 'message' | 'edited_at' | 'deleted_at'>) {
    const latest = state.get().messages.find(({ id }) => id === message.id) ?? message
    merge([{ ...latest, ...answer, images: answer.deleted_at ? [] : latest.images }])
  }

  return {
    conversation,
    me,
    state,
    sync: sync.sync,
    loadOlder: sync.loadOlder,
    messageArrived: sync.messageArrived,
    /** I have seen everything up to the message. In a new group that is also to have opened it. */
    read(last: number) {
      const { info } = state.get()
      const isNew = info !== null && isGroup(info) && info.is_new
      if (isNew) state.patch({ info: { ...info, is_new: false } })
      readMark.moveTo(last, isNew)
    },
    /** A later visit loads the newest state again where something is unread; otherwise it has no divider. */
    beginVisit() {
      if (visits++ === 0) return
      if (unreadOf(conversation)) state.patch({ status: 'loading' })
      else state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
    },
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    resumeSending: outbox.resume,
    edit: async (message: Message, text: string) =>
      change(message, await api(chat.edit, { id: message.id, message: text })),
    remove: async (message: Message) => change(message, await api(chat.remove, { id: message.id })),
    accessChanged: () => void sync.sync(),
    groupChanged(change: GroupChange) {
      if (changeGroup(state, change, me.id)) void sync.sync()
    },
  }
}

const mergeById = (messages: readonly Message[], changed: readonly Message[]) =>
  [...new Map([...messages, ...changed].map((message) => [message.id, message])).values()].sort(
    (a, b) => a.id - b.id,
  )

function setReadByOther(state: Store<MessageState>, user_id: number, last_read_id: number) {
  const { info } = state.get()
  if (!info) return
  if (!isGroup(info)) {
    state.patch({ info: { ...info, seen_id: Math.max(info.seen_id, last_read_id) } })
    return
  }
  const others = info.reads.filter((one) => one.user_id !== user_id)
  state.patch({ info: { ...info, reads: [...others, { user_id, last_read_id }] } })
}

/** Returns whether the change lets me in again. */
function changeGroup(state: Store<MessageState>, change: GroupChange, me: number) {
  const { info, isClosed } = state.get()
  if (!info || !isGroup(info)) return false
  const isMe = change.person?.id === me
  const isOut = change.kind === 'deleted' || (growth(change) < 0 && isMe)
  const isBack = change.kind === 'added' && isMe
  state.patch({
    info: {
      ...info,
      name: change.kind === 'renamed' ? change.name! : info.name,
      members_count: info.members_count + growth(change),
      changes: [...info.changes.filter(({ id }) => id !== change.id), change],
    },
    isClosed: isOut || (isClosed && !isBack),
  })
  return isBack
}

// ── The read mark ───────────────────────────────────────────────────────────

/** Milliseconds in which several moves become one request. */
const SEND_MARK_AFTER = 300

/** Up to which message I have read. Moves forward, changes the badges at once and tells the server. */
function createReadMark(send: (lastReadId: number) => Promise<unknown>, onMove: (last: number) => void) {
  let mark = 0
  let isPaused = false
  /** Where the mark goes when it may move again. */
  let pending = 0
  /** The server is to be told, even where the mark does not move. */
  let mustSend = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function moveTo(last: number, isNewGroup = false) {
    mustSend ||= isNewGroup
    if (last <= mark && !mustSend) return
    if (isPaused) {
      pending = Math.max(pending, last)
      return
    }
    mustSend = false
    mark = Math.max(mark, last)
    onMove(mark)
    clearTimeout(timer)
    timer = setTimeout(() => {
      send(mark).catch(() => {
        // The next message that is seen sends it again.
        mustSend = true
      })
    }, SEND_MARK_AFTER)
  }

  return {
    moveTo,
    /** The server knows this mark. */
    startAt(last: number) {
      mark = Math.max(mark, last)
    },
    /** While messages may be missing between those that are shown, nothing counts as read. */
    setPaused(paused: boolean) {
      isPaused = paused
      if (!paused) moveTo(pending)
    },
  }
}

// ── The outbox ──────────────────────────────────────────────────────────────

type StoredOutgoing = Omit<Outgoing, 'pictures'> & { pictures: readonly StoredPicture[] }
type Send = (message: Outgoing, onProgress: (share: number) => void) => Promise<unknown>

/**
 * Sends one message after another in their order, and stores each in IndexedDB until the server has it.
 * `prefix` begins the keys there: each message has its own, since several windows may write.
 */
function createOutbox(prefix: string, state: Store<MessageState>, send: Send) {
  let isSending = false
  const all = () => state.get().outgoing
  const setAll = (outgoing: readonly Outgoing[]) => state.patch({ outgoing })
  const update = (id: string, change: Partial<Outgoing>) =>
    setAll(all().map((one) => (one.client_id === id ? { ...one, ...change } : one)))
  const saving = new Map<string, Promise<unknown>>()
  async function save(message: Outgoing) {
    const pictures = await toStored(message.pictures)
    await set(`${prefix}:${message.client_id}`, { ...message, pictures })
  }
  async function forget(id: string) {
    await saving.get(id)
    saving.delete(id)
    await del(`${prefix}:${id}`).catch(() => {})
  }

  async function sendAll() {
    if (isSending) return
    isSending = true
    for (let next = nextToSend(all()); next; next = nextToSend(all())) {
      const { client_id } = next
      await send(next, (sent) => update(client_id, { sent })).then(
        () => discard(client_id),
        (error: unknown) => {
          update(client_id, { state: 'failed', error, sent: 0 })
          if (isHttpError(error, 401)) pleaseLogIn()
        },
      )
    }
    isSending = false
  }

  /** Called when the author discards a message, and when the server turns out to have it. */
  function discard(id: string) {
    if (!all().some(({ client_id }) => client_id === id)) return
    void forget(id)
    setAll(all().filter(({ client_id }) => client_id !== id))
    // A failed message blocks those after it, so they may be free now.
    void sendAll()
  }

  return {
    discard,
    /** Shows what an earlier visit could not send, except what arrived after all. */
    async restore() {
      const stored = await entries<string, StoredOutgoing>().catch(() => [])
      const found = stored
        .filter(([key]) => String(key).startsWith(`${prefix}:`))
        .map(([, one]) => ({ ...one, pictures: fromStored(one.pictures) }))
      const isIn = (list: readonly { client_id: string | null }[], { client_id }: Outgoing) =>
        list.some((one) => one.client_id === client_id)
      const missing: Outgoing[] = []
      for (const one of found.sort((a, b) => a.at.localeCompare(b.at)))
        if (isIn(state.get().messages, one)) void forget(one.client_id)
        else if (!isIn(all(), one)) missing.push({ ...one, state: 'failed', error: null })
      if (missing.length) setAll([...missing, ...all()])
    },
    send(text: string, pictures: readonly Picked[]) {
      const at = new Date().toISOString()
      const one: Outgoing = { client_id: newId(), text, pictures, at, state: 'sending', error: null, sent: 0 }
      setAll([...all(), one])
      // Without storage, closing the page loses the message.
      saving.set(
        one.client_id,
        save(one).catch(() => {}),
      )
      void sendAll()
    },
    retry(id: string) {
      update(id, { state: 'sending', error: null })
      void sendAll()
    },
    /** Sends again what a broken connection stopped. What an earlier visit left waits for its author. */
    resume() {
      if (!all().some(isWaiting)) return
      setAll(all().map((one) => (isWaiting(one) ? { ...one, state: 'sending', error: null } : one)))
      void sendAll()
    },
  }
}

/** A message whose sending was interrupted blocks those after it, so that the order stays. */
function nextToSend(outgoing: readonly Outgoing[]) {
  const next = outgoing.find((one) => one.state === 'sending' || isWaiting(one))
  return next?.state === 'sending' ? next : undefined
}

/** There was no answer, or one that says nothing about the message: it can be sent again as it is. */
const isWaiting = ({ error }: Outgoing) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** The server refused the message, and would refuse it again. */
export const isPermanentFailure = (error: unknown) =>
  error instanceof ApiError && [403, 404, 413, 422].includes(error.status)
