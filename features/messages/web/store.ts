import { useEffect, useState } from 'react'
import { fillChannel } from '#core/contract.ts'
import { chatChannels, type GroupChange, sortIds } from '#features/conversations/contract.ts'
import type { ConversationRef } from '#features/conversations/web/state.ts'
import * as chatState from '#features/conversations/web/state.ts'
import * as chatSync from '#features/conversations/web/sync.ts'
import type { Me } from '#features/people/contract.ts'
import { onOutageEnd } from '#web/connection.ts'
import type { LiveChanges } from '#web/live-changes.ts'
import { onMeChange, onOtherTab } from '#web/me.ts'
import * as realtime from '#web/realtime.ts'
import { createStore, type Store, useStore } from '#web/store.ts'
import {
  type ConversationState,
  createRequests,
  isGroup,
  mergeMessages,
  pinsOf,
  type ServerMessage,
  type ShownMessage,
  toShown,
} from './conversation.ts'
import { openOutbox } from './conversation-outbox.ts'
import { changeGroupInfo, setReadMark } from './info-changes.ts'
import * as loaded from './loaded.ts'
import { createReadMark } from './read-mark.ts'
import { createSync } from './sync.ts'

/** Kept by conversation key until the page is closed or the member is no longer the current user. */
const stores = new Map<string, MessageStore>()
/** A member who logs in again after the session has ended keeps the stores with their outgoing messages. */
function stopOthers(account: number | undefined) {
  const others = [...stores].filter(([, { me }]) => me.id !== account)
  for (const [, store] of others) store.stop()
  return others
}
onMeChange((change, me) => {
  if (change === 'account') for (const [key] of stopOthers(me?.id)) stores.delete(key)
})
// The page goes on showing the conversation.
onOtherTab(stopOthers)
/** Also of chats that were left since. */
onOutageEnd(() => {
  for (const store of stores.values()) store.resumeSending()
})
function getStore(conversation: ConversationRef, me: Me) {
  const key = chatState.keyOf(conversation)
  const existing = stores.get(key)
  const isOutdated = chatSync.keysToReload.delete(key)
  if (existing?.me.id === me.id && !existing.state.get().isClosed && !isOutdated) return existing
  const created = createMessageStore(conversation, me)
  if (existing?.me.id === me.id) created.adopt(existing.release())
  stores.set(key, created)
  return created
}

/** Both people of a private chat, or all members of a group, subscribe to this channel. */
export const channelOf = ({ kind, id }: ConversationRef, me: number) =>
  kind === 'private'
    ? fillChannel(chatChannels.privateChat, sortIds(id, me))
    : fillChannel(chatChannels.group, { group: id })

/** Keeps the store up to date while the component shows the conversation. */
export function useMessageStore(conversation: ConversationRef, me: Me) {
  // Must come before the first render, which would otherwise show the state of the previous visit.
  const [store] = useState(() => {
    const opened = getStore(conversation, me)
    opened.beginVisit()
    return opened
  })
  const state = useStore(store.state)
  useEffect(() => {
    if (store.state.get().status !== 'ready') void store.sync()
    return chatSync.listen(store.conversation, store)
  }, [store])
  realtime.useListener(fillChannel(chatChannels.member, { user: me.id }), {
    onSubscribed: () => void store.sync().then(store.resumeSending),
  })
  const { live } = store
  const removed = (remove: typeof loaded.withoutOlder) =>
    live(({ before_id }: { before_id: number }) => {
      loaded.update(store.state, (messages) => remove(messages, before_id))
      if (pinsOf(store.state.get()).some(({ id }) => id < before_id)) reloadPins(store)
    })
  realtime.useListener(state.info ? channelOf(conversation, me.id) : null, {
    onSubscriptionError: (status) => status === 403 && store.state.patch({ isClosed: true }),
    events: {
      MessagesRead: live(
        ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
          user_id !== me.id && setReadMark(store.state, user_id, last_read_id),
      ),
      // The marks of a member, or of all if the member is the current user, are shown again or no longer.
      ReadMarkSharingChanged: store.sync,
      PinnedMessagesChanged: live(() => reloadPins(store)),
      MessagesRemoved: removed(loaded.withoutOlder),
      MessageImagesRemoved: removed(loaded.withoutFiles),
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
  window: null,
  target: null,
  olderUrl: null,
  olderState: 'idle',
  readBeforeVisit: 0,
  isClosed: false,
  waitsUntil: 0,
}

const reloadPins = (store: MessageStore) =>
  // The next synchronisation loads the pinned messages too.
  void import('./pins.ts').then((code) => code.reloadPins(store)).catch(() => {})

function createMessageStore(conversation: ConversationRef, me: Me) {
  const state = createStore(initialState)
  const requests = createRequests(conversation)
  const onSent = (row: ServerMessage) => void sync.addSent(row)
  const outbox = openOutbox({ conversation, me, state, requests, onSent })
  const merge = (messages: readonly ShownMessage[]) => {
    state.patch({ messages: mergeMessages(state.get().messages, messages) })
    for (const { client_id, author } of messages)
      if (client_id && author.id === me.id) outbox.discard(client_id)
  }
  const readMark = createReadMark(requests.markRead, (last) =>
    chatState.setUnread(conversation, countUnreadAfter(last, state.get(), me)),
  )
  const sync = createSync({
    state,
    requests,
    mergeRows: (rows) => merge(rows.map((row) => toShown(row, me, state.get().info!))),
    onLoaded: ({ last_read_id }) => {
      readMark.setServerMark(last_read_id)
      void outbox.restore()
    },
    onInfo: outbox.updateWait,
    onGap: readMark.setPaused,
    isShown: () => chatSync.hasListener(conversation),
  })

  const { liveChanges } = sync
  /** Runs `handle` at once, and again after the running requests. */
  const live =
    <Data>(handle: (data: Data) => unknown) =>
    (data: Data) =>
      liveChanges.apply(() => handle(data))
  function addMessage(row: ServerMessage) {
    const { info } = state.get()
    if (info) loaded.update(state, (messages) => loaded.replace(messages, toShown(row, me, info)))
    sync.addLive(row)
    if (pinsOf(state.get()).some(({ id }) => id === row.id)) reloadPins(store)
  }

  const store = {
    conversation,
    me,
    state,
    sync: sync.sync,
    live,
    loadOlder: () => liveChanges.load(() => (state.get().window ?? sync).loadOlder()),
    onMessage: live(addMessage),
    /** Does so in this window and on the server. Also marks a new group as opened. */
    markReadUpTo(last: number) {
      const { info } = state.get()
      const isNew = info !== null && isGroup(info) && info.is_new
      if (isNew) state.patch({ info: { ...info, is_new: false } })
      readMark.moveTo(last, isNew)
    },
    send(...args: Parameters<typeof outbox.send>) {
      // A user who sends a message has read the others.
      state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY, window: null })
      outbox.send(...args)
    },
    retry: outbox.retry,
    discard: outbox.discard,
    adopt: outbox.adopt,
    /** A newer store of the conversation replaces it, and goes on sending what it returns. */
    release() {
      readMark.stop()
      return outbox.release()
    },
    resumeSending: outbox.resume,
    /** The member is no longer the current user. */
    stop() {
      outbox.stop()
      readMark.stop()
    },
    ...loaded.createEdits(state),
    ...createVisibleRange({ conversation, me, state, requests, liveChanges }),
    onAccessChange: () => void sync.sync(),
    onGroupChange: live((change: GroupChange) => applyGroupChange(state, change, me.id) && sync.sync()),
  }
  return store
}

/** Returns true if the conversation must be loaded again. */
function applyGroupChange(state: Store<ConversationState>, change: GroupChange, me: number) {
  const isFormer = change.person?.is_former
  // Some of the loaded messages may be from the member whose account was deleted.
  if (isFormer) state.patch({ status: 'loading' })
  const isBack = changeGroupInfo(state, change, me)
  // Only the server knows who the owner is, how long the user must wait, and whether they may write.
  const isPersonal = ['slow_mode', 'writers_all', 'writers_chosen', 'owner', 'ended', 'reopened'].includes(
    change.kind,
  )
  return isBack || isFormer || isPersonal
}

interface ConversationParts {
  conversation: ConversationRef
  me: Me
  state: Store<ConversationState>
  requests: ReturnType<typeof createRequests>
  liveChanges: LiveChanges
}

/** Decides which part of the messages the list shows. */
function createVisibleRange({ conversation, me, state, requests, liveChanges }: ConversationParts) {
  let visits = 0
  return {
    /** Loads the message if needed. False if there is no such message. */
    showMessage: async (id: number) => {
      const { goToMessage } = await import('./window.ts')
      return liveChanges.load(() => goToMessage({ state, requests, me, liveChanges }, id))
    },
    findMessage: (id: number) =>
      (state.get().window?.state ?? state).get().messages.find((message) => message.id === id),
    showNewest: () => state.patch({ window: null }),
    /** Loads the messages again if some are unread, or hides the divider. Does nothing on the first visit. */
    beginVisit() {
      if (visits++ === 0) return
      state.patch({ window: null, target: null })
      if (chatState.getUnread(conversation)) state.patch({ status: 'loading' })
      else state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
    },
  }
}

/** Counts loaded messages of other people. */
const countUnreadAfter = (last: number, { messages }: ConversationState, me: Me) =>
  messages.filter(({ id, author, is_blocked }) => id > last && author.id !== me.id && !is_blocked).length
