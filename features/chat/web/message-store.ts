import type { Me } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { createStore, type Store } from '#web/store.ts'
import { chat, type GroupChange } from '../contract.ts'
import { isListening } from './chat-events.ts'
import { type ConversationRef, conversationKey, growth, unreadOf } from './chat-state.ts'
import { isGroup, type Message, toMessage } from './message.ts'
import { createMessageApi } from './message-api.ts'
import { emptyState, type MessageState } from './message-state.ts'
import { createMessageSync } from './message-sync.ts'
import { createOutbox } from './outbox.ts'
import { createReadMark } from './read-mark.ts'

export type MessageStore = ReturnType<typeof createMessageStore>

/** The state of one conversation, and everything that changes it. */
export function createMessageStore(conversation: ConversationRef, me: Me) {
  const state = createStore(emptyState)
  const requests = createMessageApi(conversation)
  const outbox = createOutbox({
    storageKey: `engawa:outbox:${me.id}:${conversationKey(conversation)}`,
    get: () => state.get().outgoing,
    set: (outgoing) => state.patch({ outgoing }),
    send: async (message, onProgress) => sync.addSent(await requests.send(message, onProgress)),
  })
  const merge = (messages: readonly Message[]) => {
    state.patch({ messages: mergeById(state.get().messages, messages) })
    for (const { client_id, author } of messages)
      if (client_id && author.id === me.id) outbox.remove(client_id)
  }
  const readMark = createReadMark({ conversation, me, state, send: requests.markRead })
  const sync = createMessageSync({
    state,
    requests,
    toMessage: (row) => toMessage(row, me, state.get().info!),
    merge,
    readMark,
    restoreOutbox: outbox.restore,
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
    read: readMark.moveTo,
    /** A later visit loads the newest state again where something is unread; otherwise it has no divider. */
    beginVisit() {
      if (visits++ === 0) return
      if (unreadOf(conversation)) state.patch({ status: 'loading' })
      else state.patch({ readBeforeVisit: Number.POSITIVE_INFINITY })
    },
    send: outbox.add,
    retry: outbox.retry,
    discard: outbox.remove,
    resumeSending: outbox.resume,
    edit: async (message: Message, text: string) =>
      change(message, await api(chat.edit, { id: message.id, message: text })),
    remove: async (message: Message) => change(message, await api(chat.remove, { id: message.id })),
    readByOther: (user: number, lastRead: number) => user !== me.id && setReadByOther(state, user, lastRead),
    groupChanged(change: GroupChange) {
      if (changeGroup(state, change, me.id)) void sync.sync()
    },
    close: () => state.patch({ isClosed: true }),
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
