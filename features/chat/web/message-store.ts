import { useEffect, useState } from 'react'
import { fillChannelParameters } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { onOutageEnd } from '#web/connection.ts'
import { useChannelListener } from '#web/realtime.ts'
import { createStore, type Store, useStore } from '#web/store.ts'
import { chatChannelDefinitions, toSortedPair } from '../channel-contract.ts'
import { chatEndpoints, type GroupChange } from '../contract.ts'
import {
  type ConversationRef,
  getUnreadCount,
  setUnreadCount,
  toConversationKey,
  toMemberCountChange,
} from './chat-state.ts'
import { addConversationListener, hasConversationListener, outdatedConversations } from './chat-sync.ts'
import {
  type ConversationState,
  createConversationRequests,
  isGroupConversation,
  type Message,
  toMessage,
} from './conversation.ts'
import { createMessageSync } from './message-sync.ts'
import { createOutbox } from './outbox.ts'

// ── The store of one conversation ───────────────────────────────────────────

/**
 * The message stores, by conversation key. Each keeps its messages until the page is closed or another member
 * logs in.
 */
const stores = new Map<string, MessageStore>()
function getStore(conversation: ConversationRef, me: Me) {
  const key = toConversationKey(conversation)
  const existing = stores.get(key)
  const isOutdated = outdatedConversations.delete(key)
  if (existing?.me.id === me.id && !existing.state.get().isClosed && !isOutdated) return existing
  const created = createMessageStore(conversation, me)
  stores.set(key, created)
  return created
}

/**
 * Returns the name of the channel that both people of a private chat, or all members of a group, subscribe
 * to.
 */
export const toConversationChannelName = ({ kind, id }: ConversationRef, me: number) =>
  kind === 'private'
    ? fillChannelParameters(chatChannelDefinitions.privateChat, toSortedPair(id, me))
    : fillChannelParameters(chatChannelDefinitions.group, { group: id })

/** Returns the message store of a conversation and its state. Updates it while the conversation is shown. */
export function useMessageStore(conversation: ConversationRef, me: Me) {
  // Begins the visit before the first render. Otherwise the first render would show the state of the last
  // visit.
  const [store] = useState(() => {
    const opened = getStore(conversation, me)
    opened.beginVisit()
    return opened
  })
  const state = useStore(store.state)
  useEffect(() => {
    if (store.state.get().status !== 'ready') void store.sync()
    return addConversationListener(store.conversation, store)
  }, [store])
  useEffect(() => onOutageEnd(store.resumeSending), [store])
  useChannelListener(fillChannelParameters(chatChannelDefinitions.member, { user: me.id }), {
    onSubscribed: () => void store.sync().then(store.resumeSending),
  })
  useChannelListener(state.info ? toConversationChannelName(conversation, me.id) : null, {
    onSubscriptionError: (status) => status === 403 && store.state.patch({ isClosed: true }),
    events: {
      MessagesRead: ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
        user_id !== me.id && setReadByOther(store.state, user_id, last_read_id),
    },
  })
  return { store, state }
}

export type MessageStore = ReturnType<typeof createMessageStore>

const initialState: ConversationState = {
  status: 'loading',
  error: null,
  info: null,
  messages: [],
  outgoing: [],
  olderUrl: null,
  olderState: 'idle',
  readBeforeVisit: 0,
  isClosed: false,
}

/** The state of one conversation, and everything that changes it. */
function createMessageStore(conversation: ConversationRef, me: Me) {
  const state = createStore(initialState)
  const requests = createConversationRequests(conversation)
  const outbox = createOutbox(
    `engawa:outbox:${me.id}:${toConversationKey(conversation)}`,
    state,
    async (message, onProgress) => sync.addSent(await requests.send(message, onProgress)),
  )
  const merge = (messages: readonly Message[]) => {
    state.patch({ messages: mergeById(state.get().messages, messages) })
    for (const { client_id, author } of messages)
      if (client_id && author.id === me.id) outbox.discard(client_id)
  }
  const readMark = createReadMark(requests.markRead, (last) => {
    const unread = state
      .get()
      .messages.filter(({ id, author, is_blocked }) => id > last && author.id !== me.id && !is_blocked)
    setUnreadCount(conversation, unread.length)
  })
  const sync = createMessageSync({
    state,
    requests,
    mergeRows: (rows) => merge(rows.map((row) => toMessage(row, me, state.get().info!))),
    onLoaded: ({ last_read_id }) => {
      readMark.setServerMark(last_read_id)
      void outbox.restore()
    },
    onGap: readMark.setPaused,
    isShown: () => hasConversationListener(conversation),
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
    onMessage: sync.addLive,
    /** Marks all messages up to this id as read, and a new group as opened. */
    markReadUpTo(last: number) {
      const { info } = state.get()
      const isNew = info !== null && isGroupConversation(info) && info.is_new
      if (isNew) state.patch({ info: { ...info, is_new: false } })
      readMark.moveTo(last, isNew)
    },
    /**
     * Called when the conversation is opened. From the second visit on: if something is unread, the messages
     * are loaded again; otherwise no unread divider is shown.
     */
    beginVisit() {
      if (visits++ === 0) return
      if (getUnreadCount(conversation)) state.patch({ status: 'loading' })
      else state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
    },
    send(...args: Parameters<typeof outbox.send>) {
      // Removes the unread divider, because a user who answers has read the messages.
      state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
      outbox.send(...args)
    },
    retry: outbox.retry,
    discard: outbox.discard,
    resumeSending: outbox.resume,
    edit: async (message: Message, text: string) =>
      change(message, await callEndpoint(chatEndpoints.edit, { id: message.id, message: text })),
    remove: async (message: Message) =>
      change(message, await callEndpoint(chatEndpoints.remove, { id: message.id })),
    onAccessChange: () => void sync.sync(),
    onGroupChange(change: GroupChange) {
      // Loads all messages again, because a former member may have written some of them.
      if (change.person?.is_former) state.patch({ status: 'loading' })
      if (updateGroupInfo(state, change, me.id) || change.person?.is_former) void sync.sync()
    },
  }
}

const mergeById = (messages: readonly Message[], changed: readonly Message[]) =>
  [...new Map([...messages, ...changed].map((message) => [message.id, message])).values()].sort(
    (a, b) => a.id - b.id,
  )

function setReadByOther(state: Store<ConversationState>, user_id: number, last_read_id: number) {
  const { info } = state.get()
  if (!info) return
  if (!isGroupConversation(info)) {
    state.patch({ info: { ...info, seen_id: Math.max(info.seen_id, last_read_id) } })
    return
  }
  const others = info.reads.filter((one) => one.user_id !== user_id)
  state.patch({ info: { ...info, reads: [...others, { user_id, last_read_id }] } })
}

/** Applies a change of the group to the state. Returns true if the change makes the user a member again. */
function updateGroupInfo(state: Store<ConversationState>, change: GroupChange, me: number) {
  const { info, isClosed } = state.get()
  if (!info || !isGroupConversation(info)) return false
  const isMe = change.person?.id === me
  const isOut = change.kind === 'deleted' || (toMemberCountChange(change) < 0 && isMe)
  const isBack = change.kind === 'added' && isMe
  state.patch({
    info: {
      ...info,
      name: change.kind === 'renamed' ? change.name! : info.name,
      members_count: info.members_count + toMemberCountChange(change),
      changes: [...info.changes.filter(({ id }) => id !== change.id), change],
    },
    isClosed: isOut || (isClosed && !isBack),
  })
  return isBack
}

// ── The read mark ───────────────────────────────────────────────────────────

/** Moves of the read mark within this many milliseconds become one request. */
const READ_MARK_DELAY = 300

/**
 * Creates the read mark of the current user. It only moves forward. A move changes the unread counts at once
 * and is then sent to the server.
 */
function createReadMark(send: (lastReadId: number) => Promise<unknown>, onMove: (last: number) => void) {
  let mark = 0
  let isPaused = false
  /** The id to which the mark moves as soon as it is no longer paused. */
  let pending = 0
  /** Whether the mark must be sent to the server even if it does not move. */
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
        // The mark is sent again when the next message is seen.
        mustSend = true
      })
    }, READ_MARK_DELAY)
  }

  return {
    moveTo,
    /** Sets the mark that the server has stored. */
    setServerMark(last: number) {
      mark = Math.max(mark, last)
    },
    /** While messages may be missing between the shown ones, the mark is paused and nothing becomes read. */
    setPaused(paused: boolean) {
      isPaused = paused
      if (!paused) moveTo(pending)
    },
  }
}
