import { useEffect, useState } from 'react'
import { channelName } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { whenReconnected } from '#web/connection.ts'
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
  toMessage,
} from './messages.ts'
import { createOutbox } from './outbox.ts'

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
