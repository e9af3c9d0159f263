import { useEffect, useState } from 'react'
import { fillChannelNameParameters } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { addServerOutageEndListener } from '#web/connection.ts'
import type { LiveChanges } from '#web/live-changes.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { useChannelListener } from '#web/realtime.ts'
import { createStore, type Store, useStore } from '#web/store.ts'
import { chatChannelDefinitions, toSmallerAndLargerUserId } from '../channel-contract.ts'
import type { GroupChange } from '../group-contract.ts'
import {
  type ChatPartnerOrGroupRef,
  getConversationUnreadCount,
  setLocalConversationUnreadCount,
  toConversationKey,
} from './chat-state.ts'
import { conversationKeysToReload, hasConversationListener, setConversationListener } from './chat-sync.ts'
import {
  type ConversationState,
  createConversationRequestFunctions,
  getPinnedMessagesOfConversation,
  isGroupConversation,
  type MessageFromServer,
  mergeMessagesById,
  type ShownMessage,
  toShownMessage,
} from './conversation.ts'
import { createConversationOutbox } from './conversation-outbox.ts'
import { applyGroupChangeToOpenConversationState } from './group-info-changes.ts'
import {
  changeLoadedMessages,
  createMessageEditAndDeleteFunctions,
  replaceMessageAndQuotesOfIt,
  toMessageListWithoutAttachmentsBelowId,
  toMessageListWithoutMessagesBelowId,
} from './loaded-messages.ts'
import { createMessageSync } from './message-sync.ts'
import { createReadMarkMover } from './read-mark.ts'
import { setLocalReadMarkOfOtherMember } from './read-marks-of-others.ts'

// ── The message store of one conversation ────────────────────────────────────

/**
 * The message stores, by conversation key. Each keeps its messages until the page is closed or the member
 * for whom it was created is no longer the current user.
 */
const stores = new Map<string, MessageStore>()
/**
 * All message stores of the current user, also those that a newer store of the same conversation has
 * replaced.
 */
const createdStores = new Set<MessageStore>()
addOwnAccountProfileOrFollowsListener((change, me) => {
  if (change !== 'account') return
  for (const store of createdStores) {
    // Keeps the store, with its outgoing messages, of a member who logs in again after the session has ended.
    if (store.me.id === me?.id) continue
    store.stop()
    createdStores.delete(store)
    stores.clear()
  }
})
function getStore(conversation: ChatPartnerOrGroupRef, me: Me) {
  const key = toConversationKey(conversation)
  const existing = stores.get(key)
  const isOutdated = conversationKeysToReload.delete(key)
  if (existing?.me.id === me.id && !existing.state.get().isClosed && !isOutdated) return existing
  const created = createMessageStore(conversation, me)
  createdStores.add(created)
  stores.set(key, created)
  return created
}

/**
 * Returns the name of the channel that both people of a private chat, or all members of a group, subscribe
 * to.
 */
export const toConversationChannelName = ({ kind, id }: ChatPartnerOrGroupRef, me: number) =>
  kind === 'private'
    ? fillChannelNameParameters(chatChannelDefinitions.privateChat, toSmallerAndLargerUserId(id, me))
    : fillChannelNameParameters(chatChannelDefinitions.group, { group: id })

/**
 * Returns the message store of a conversation and its state. Keeps the store up to date while the component
 * shows the conversation.
 */
export function useMessageStore(conversation: ChatPartnerOrGroupRef, me: Me) {
  // Begins the visit before the first render, because that would otherwise show the state of the previous
  // visit.
  const [store] = useState(() => {
    const opened = getStore(conversation, me)
    opened.beginVisit()
    return opened
  })
  const state = useStore(store.state)
  useEffect(() => {
    if (store.state.get().status !== 'ready') void store.sync()
    return setConversationListener(store.conversation, store)
  }, [store])
  useEffect(() => addServerOutageEndListener(store.resumeSending), [store])
  useChannelListener(fillChannelNameParameters(chatChannelDefinitions.member, { user: me.id }), {
    onSubscribed: () => void store.sync().then(store.resumeSending),
  })
  const { live } = store
  const removed = (remove: typeof toMessageListWithoutMessagesBelowId) =>
    live(({ before_id }: { before_id: number }) => {
      changeLoadedMessages(store.state, (messages) => remove(messages, before_id))
      if (getPinnedMessagesOfConversation(store.state.get()).some(({ id }) => id < before_id))
        reloadPins(store)
    })
  useChannelListener(state.info ? toConversationChannelName(conversation, me.id) : null, {
    onSubscriptionError: (status) => status === 403 && store.state.patch({ isClosed: true }),
    events: {
      MessagesRead: live(
        ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
          user_id !== me.id && setLocalReadMarkOfOtherMember(store.state, user_id, last_read_id),
      ),
      // Loads the read marks again: the marks of a member, or of all if the member is the current user, are
      // shown again or no longer.
      ReadMarkSharingChanged: store.sync,
      PinnedMessagesChanged: live(() => reloadPins(store)),
      MessagesRemoved: removed(toMessageListWithoutMessagesBelowId),
      MessageImagesRemoved: removed(toMessageListWithoutAttachmentsBelowId),
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

/** Loads the pinned messages of the store's group again. */
const reloadPins = (store: MessageStore) =>
  // Ignores a failed download of this code, because the next synchronisation loads the pinned messages too.
  void import('./pinned-messages.ts').then((code) => code.reloadPinnedMessages(store)).catch(() => {})

/** Creates the message store of a conversation: its state, and all functions that change the state. */
function createMessageStore(conversation: ChatPartnerOrGroupRef, me: Me) {
  const state = createStore(initialState)
  const requests = createConversationRequestFunctions(conversation)
  const onSent = (row: MessageFromServer) => void sync.addSent(row)
  const outbox = createConversationOutbox({ conversation, me, state, requests, onSent })
  const merge = (messages: readonly ShownMessage[]) => {
    state.patch({ messages: mergeMessagesById(state.get().messages, messages) })
    for (const { client_id, author } of messages)
      if (client_id && author.id === me.id) outbox.discard(client_id)
  }
  const readMark = createReadMarkMover(requests.markRead, (last) =>
    setLocalConversationUnreadCount(conversation, countUnreadAfter(last, state.get(), me)),
  )
  const sync = createMessageSync({
    state,
    requests,
    mergeRows: (rows) => merge(rows.map((row) => toShownMessage(row, me, state.get().info!))),
    onLoaded: ({ last_read_id }) => {
      readMark.setServerMark(last_read_id)
      void outbox.restore()
    },
    onInfo: outbox.updateWait,
    onGap: readMark.setPaused,
    isShown: () => hasConversationListener(conversation),
  })

  const { liveChanges } = sync
  /** Returns a handler for a live event, which does the same as `handle`, also after the running requests. */
  const live =
    <Data>(handle: (data: Data) => unknown) =>
    (data: Data) =>
      liveChanges.apply(() => handle(data))
  function addMessage(row: MessageFromServer) {
    const { info } = state.get()
    if (info)
      changeLoadedMessages(state, (messages) =>
        replaceMessageAndQuotesOfIt(messages, toShownMessage(row, me, info)),
      )
    sync.addLive(row)
    if (getPinnedMessagesOfConversation(state.get()).some(({ id }) => id === row.id)) reloadPins(store)
  }

  const store = {
    conversation,
    me,
    state,
    sync: sync.sync,
    live,
    loadOlder: () => liveChanges.load(() => (state.get().window ?? sync).loadOlder()),
    onMessage: live(addMessage),
    /**
     * Marks all messages up to the id `last` as read, in this window and on the server. Also marks a new
     * group as opened.
     */
    markReadUpTo(last: number) {
      const { info } = state.get()
      const isNew = info !== null && isGroupConversation(info) && info.is_new
      if (isNew) state.patch({ info: { ...info, is_new: false } })
      readMark.moveTo(last, isNew)
    },
    send(...args: Parameters<typeof outbox.send>) {
      // Removes the unread divider, because a user who sends a message has read the others.
      state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY, window: null })
      outbox.send(...args)
    },
    retry: outbox.retry,
    discard: outbox.discard,
    resumeSending: outbox.resume,
    /**
     * Stops the sending of messages and of the read mark, because the member is no longer the current user.
     */
    stop() {
      outbox.stop()
      readMark.stop()
    },
    ...createMessageEditAndDeleteFunctions(state),
    ...createVisibleRange({ conversation, me, state, requests, liveChanges }),
    onAccessChange: () => void sync.sync(),
    onGroupChange: live((change: GroupChange) => applyGroupChange(state, change, me.id) && sync.sync()),
  }
  return store
}

/** Applies a change of the group to the state. Returns whether the conversation must be loaded again. */
function applyGroupChange(state: Store<ConversationState>, change: GroupChange, me: number) {
  const isFormer = change.person?.is_former
  // Shows the loading state after a member's account was deleted, because some of the loaded messages may be
  // from that member.
  if (isFormer) state.patch({ status: 'loading' })
  const isBack = applyGroupChangeToOpenConversationState(state, change, me)
  // The conversation is also loaded again after a change of slow mode, because only the server knows how long
  // the user must wait, and after a change of the owner that names nobody, because the user may be the new
  // owner and may not see who handed the group over.
  const isUnknownOwner = change.kind === 'owner' && !change.person
  return isBack || isFormer || change.slow_mode_seconds !== undefined || isUnknownOwner
}

interface ConversationParts {
  conversation: ChatPartnerOrGroupRef
  me: Me
  state: Store<ConversationState>
  requests: ReturnType<typeof createConversationRequestFunctions>
  liveChanges: LiveChanges
}

/** Creates the functions that decide which part of the conversation's messages the list shows. */
function createVisibleRange({ conversation, me, state, requests, liveChanges }: ConversationParts) {
  let visits = 0
  return {
    /**
     * Makes the message list scroll to a message, and loads the message if needed. Returns false if there is
     * no such message.
     */
    showMessage: async (id: number) => {
      const { loadAndScrollToMessage } = await import('./message-window.ts')
      return liveChanges.load(() => loadAndScrollToMessage({ state, requests, me, liveChanges }, id))
    },
    /** Returns the message with this id; undefined if the list does not have it. */
    findMessage: (id: number) =>
      (state.get().window?.state ?? state).get().messages.find((message) => message.id === id),
    /** Makes the list show the newest messages again, after it showed earlier ones. */
    showNewest: () => state.patch({ window: null }),
    /**
     * Prepares the state for another visit when the conversation is opened again; does nothing on the first
     * visit. If there are unread messages, the messages are loaded again. If not, the unread divider is
     * hidden.
     */
    beginVisit() {
      if (visits++ === 0) return
      state.patch({ window: null, target: null })
      if (getConversationUnreadCount(conversation)) state.patch({ status: 'loading' })
      else state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
    },
  }
}

/** Returns the number of loaded messages of other people with an id above `last`. */
const countUnreadAfter = (last: number, { messages }: ConversationState, me: Me) =>
  messages.filter(({ id, author, is_blocked }) => id > last && author.id !== me.id && !is_blocked).length
