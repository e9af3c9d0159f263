import type { VoiceDetails } from '#core/stored-file-contract.ts'
import type { Me, Person } from '#features/people/contract.ts'
import type { PickedPictureFileAndDescription } from '#features/posts/web/prepare-pictures.ts'
import { callEndpoint, type FetchedListPage, fetchListPage } from '#web/api.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import type { Store } from '#web/store.ts'
import {
  type GroupMessage,
  type PrivateChat,
  type PrivateMessage,
  privateChatAndMessageEndpoints,
  type QuotedMessage,
  type RealtimeGroupMessage,
} from '../contract.ts'
import { type Group, groupEndpoints } from '../group-contract.ts'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'

// This file has the types of the messages of a conversation, and the requests of private chats and groups.

/** A message of a private chat or a group, with the fields that the views show. */
export type ShownMessage = Omit<
  GroupMessage,
  | 'group_id'
  | 'user_id'
  | 'user'
  | 'is_blocked'
  | 'is_muted'
  | 'removed_images'
  | 'quoted'
  | 'forwarded'
  | 'files'
> & {
  author: Person
  /**
   * Present if the member has blocked the author; `is_muted` is present if the member has muted the author.
   * The message then has no content, and the page shows a note in its place.
   */
  is_blocked?: true | undefined
  is_muted?: true | undefined
  removed_images?: number | undefined
  quoted?: QuotedMessage | undefined
  /** Present if the message is a copy that its author has forwarded from another chat. */
  forwarded?: GroupMessage['forwarded'] | undefined
  files?: GroupMessage['files'] | undefined
}

/** A message that is being sent, or that could not be sent. */
export interface UnsentMessage {
  client_id: string
  text: string
  pictures: readonly PickedPictureFileAndDescription[]
  /**
   * The files of the message besides pictures; absent in unsent messages that an earlier release has stored.
   */
  files?: readonly PickedPictureFileAndDescription[]
  /** The length and the wave form of the recording; present if the message is a voice message. */
  voice?: VoiceDetails | undefined
  /** The message that the unsent message quotes. */
  quoted?: QuotedMessage | undefined
  at: string
  state: 'sending' | 'failed'
  /**
   * The error that stopped the sending; null if nothing failed, or if the sending failed in an earlier visit.
   */
  error: unknown
  /** How much of the message has been uploaded, from 0 to 1. */
  progress: number
  /** Whether the message is not sent yet because slow mode makes the user wait. */
  isWaiting?: boolean
}

/** A message as the server sends it, in a response or in a realtime event. */
export type MessageFromServer = PrivateMessage | GroupMessage | RealtimeGroupMessage
/** The data of a private chat or a group from the server, without its messages. */
export type ConversationInfo = PrivateChat | Group
export const isGroupConversation = (info: ConversationInfo): info is Group => 'members_count' in info

/** Returns the pinned messages that the page of a group shows; an empty list in a private chat. */
export const getPinnedMessagesOfConversation = ({ info }: { info: ConversationInfo | null }) =>
  (info && isGroupConversation(info) && info.pins) || []

export function toShownMessage(row: MessageFromServer, me: Me, info: ConversationInfo): ShownMessage {
  const { id, client_id, message, images, created_at, edited_at, deleted_at } = row
  const author = 'user' in row ? row.user : row.from_user_id === me.id ? me : (info as PrivateChat).user
  const { is_blocked, is_muted, removed_images, quoted, forwarded, files } = row as Partial<GroupMessage>
  return {
    id,
    client_id,
    author,
    message,
    images,
    created_at,
    edited_at,
    deleted_at,
    is_blocked,
    is_muted,
    removed_images,
    quoted,
    forwarded,
    files,
  }
}

const sortById = (messages: readonly ShownMessage[]) =>
  [...new Map(messages.map((message) => [message.id, message])).values()].sort((a, b) => a.id - b.id)

/**
 * Merges two lists of messages by id. A message of the second list replaces that of the first; if the second
 * list has several versions of a message, the last one does. A message that is the same in both lists stays
 * the same object: after each interruption of the connection, the newest messages are loaded again, and those
 * without a change should not be rendered again. Older messages are put before the first list without sorting
 * it again, because a long chat gets each older page this way.
 */
export function mergeMessagesById(messages: readonly ShownMessage[], given: readonly ShownMessage[]) {
  const first = messages[0]?.id ?? 0
  if (!given.length) return messages
  // Leaves out older versions first: a version that equals the known message is newer than they are.
  const latest = sortById(given)
  if (latest.every(({ id }) => id < first)) return [...latest, ...messages]
  const known = new Map(messages.map((message) => [message.id, message]))
  const changed = latest.filter((message) => !isSameJson(message, known.get(message.id)))
  return changed.length ? sortById([...messages, ...changed]) : messages
}

/**
 * The messages that the list shows in place of the newest ones, because the user has gone to an earlier
 * message.
 */
export interface EarlierMessagesStateAndLoadFunctions {
  state: Store<Pick<ConversationState, 'messages' | 'olderUrl' | 'olderState'> & { newerUrl: string | null }>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
}

/** The state of one conversation in this window, which all its views share. */
export interface ConversationState {
  status: 'loading' | 'ready' | 'failed'
  error: unknown
  info: ConversationInfo | null
  /**
   * The loaded messages, oldest first. After an interruption of the connection, some may be missing until the
   * synchronisation has finished.
   */
  messages: readonly ShownMessage[]
  outgoing: readonly UnsentMessage[]
  /**
   * The earlier messages that the message list shows in place of the newest ones; null while it shows the
   * newest.
   */
  window: EarlierMessagesStateAndLoadFunctions | null
  /**
   * The id of the message to which the list scrolls as soon as the message is rendered; null if there is
   * none.
   */
  target: number | null
  /**
   * The URL of the page of messages before the loaded ones; null if the first message of the conversation is
   * loaded.
   */
  olderUrl: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /**
   * The id of the last message that was read before this visit. The unread divider is shown below this
   * message. Infinity if no divider is shown.
   */
  readBeforeVisit: number
  /** Whether the user has lost access to the conversation. */
  isClosed: boolean
  /**
   * The time, in milliseconds since 1970, until which slow mode makes the user wait; 0 if the user need not
   * wait.
   */
  waitsUntil: number
}

// ── Requests of a conversation ───────────────────────────────────────────────

/**
 * Returns functions that send the requests of one conversation. They are the same for private chats and
 * groups.
 */
export function createConversationRequestFunctions({ kind, id }: ChatPartnerOrGroupRef) {
  const isPrivate = kind === 'private'
  const show = isPrivate ? privateChatAndMessageEndpoints.privateChat : groupEndpoints.show
  const list = isPrivate
    ? privateChatAndMessageEndpoints.privateMessages
    : privateChatAndMessageEndpoints.groupMessages
  return {
    /**
     * Returns the responses about this conversation that came with the HTML page; undefined if there are
     * none.
     */
    initial() {
      const [info, page] = [
        findInitialEndpointResponse(show, { id }),
        findInitialEndpointResponse(list, { id }),
      ]
      if (!info || !page) return undefined
      return {
        info: info.body as ConversationInfo,
        page: { rows: page.body as MessageFromServer[], next: page.next },
      }
    },
    info: (): Promise<ConversationInfo> => callEndpoint(show, { id }),
    /**
     * Requests a page of messages: the newest ones, those that `params` select, or the page at the URL
     * `from`.
     */
    page: (
      params?: { before?: number; after?: number; limit?: number },
      from?: string | null,
    ): Promise<FetchedListPage<MessageFromServer[]>> => fetchListPage(list, { id, ...params }, from),
    async send(
      message: UnsentMessage,
      onProgress: (share: number) => void,
      signal: AbortSignal,
    ): Promise<MessageFromServer> {
      const { client_id, text, quoted } = message
      const fields = { client_id, ...(quoted && { quotes_id: quoted.id }) }
      if (isPrivate) {
        const body = { ...fields, input: text, targetUserId: id }
        return (
          await callEndpoint(privateChatAndMessageEndpoints.sendPrivate, body, {
            ...uploadOptions(body, message, onProgress),
            signal,
          })
        ).message
      }
      const body = { ...fields, message: text, group_id: id }
      return (
        await callEndpoint(privateChatAndMessageEndpoints.sendGroup, body, {
          ...uploadOptions(body, message, onProgress),
          signal,
        })
      ).message
    },
    markRead: (last_read_id: number) =>
      callEndpoint(isPrivate ? privateChatAndMessageEndpoints.readPrivate : groupEndpoints.read, {
        id,
        last_read_id,
      }),
  }
}

/**
 * Returns the upload options of a request that sends a message. The request is a form instead of JSON if the
 * message has pictures or files.
 */
function uploadOptions(
  body: object,
  { pictures, files = [], voice }: UnsentMessage,
  onProgress: (share: number) => void,
) {
  if (!pictures.length && !files.length) return {}
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, String(value))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  for (const { file } of files) form.append('files[]', file, file.name)
  if (voice) {
    form.set('voice_duration', String(voice.duration))
    form.set('voice_wave', voice.wave.join())
  }
  return { form, onProgress }
}
