import type { Me, Person } from '#features/people/contract.ts'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { callEndpoint, fetchListPage, type PageOfRows } from '#web/api.ts'
import { findInitialAnswer } from '#web/page-data.ts'
import {
  chatEndpoints,
  type Group,
  type GroupMessage,
  type GroupMessageEvent,
  groupEndpoints,
  type PrivateChat,
  type PrivateMessage,
} from '../contract.ts'
import type { ConversationRef } from './chat-state.ts'

// The messages of one conversation in the browser: their types, and the requests for both kinds of chat.

/** A message of either kind of chat, as the views show it. */
export type Message = Omit<GroupMessage, 'group_id' | 'user_id' | 'user'> & { author: Person }

/** A message that is being sent, or that could not be sent. */
export interface UnsentMessage {
  client_id: string
  text: string
  pictures: readonly PickedPicture[]
  at: string
  state: 'sending' | 'failed'
  /** The error that stopped the sending; null if it happened in an earlier visit, or if nothing failed. */
  error: unknown
  /** The share of the upload that has been sent, from 0 to 1. */
  progress: number
}

/** A message as the server sends it. */
export type ServerMessage = PrivateMessage | GroupMessage | GroupMessageEvent
/** A conversation as the server describes it, without its messages. */
export type ConversationInfo = PrivateChat | Group
export const isGroupConversation = (info: ConversationInfo): info is Group => 'members_count' in info

export function toMessage(row: ServerMessage, me: Me, info: ConversationInfo): Message {
  const { id, client_id, message, images, created_at, edited_at, deleted_at } = row
  const author = 'user' in row ? row.user : row.from_user_id === me.id ? me : (info as PrivateChat).user
  const isBlocked = 'is_blocked' in row && { is_blocked: row.is_blocked }
  return { id, client_id, author, message, images, created_at, edited_at, deleted_at, ...isBlocked }
}

/** The state of one conversation, shared by all its views. */
export interface ConversationState {
  status: 'loading' | 'ready' | 'failed'
  error: unknown
  info: ConversationInfo | null
  /** Oldest first. After an outage, messages may be missing until the synchronisation has finished. */
  messages: readonly Message[]
  outgoing: readonly UnsentMessage[]
  /** The URL of the page of older messages; null at the beginning of the conversation. */
  olderUrl: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /** The id of the last message that was read before this visit. The unread divider stands after it. */
  readBeforeVisit: number
  /** Whether the user has lost access to the conversation. */
  isClosed: boolean
}

// ── Requests ────────────────────────────────────────────────────────────────

/** Creates the requests of one conversation. The caller uses them in the same way for both kinds of chat. */
export function createConversationRequests({ kind, id }: ConversationRef) {
  const isPrivate = kind === 'private'
  const show = isPrivate ? chatEndpoints.privateChat : groupEndpoints.show
  const list = isPrivate ? chatEndpoints.privateMessages : chatEndpoints.groupMessages
  return {
    /** Returns the responses that came with the HTML page; undefined if there are none. */
    initial() {
      const [info, page] = [findInitialAnswer(show, { id }), findInitialAnswer(list, { id })]
      if (!info || !page) return undefined
      return {
        info: info.body as ConversationInfo,
        page: { rows: page.body as ServerMessage[], next: page.next },
      }
    },
    info: (): Promise<ConversationInfo> => callEndpoint(show, { id }),
    /** Requests the newest messages, or the page at the URL `from`. */
    page: (
      params?: { after?: number; limit?: number },
      from?: string | null,
    ): Promise<PageOfRows<ServerMessage[]>> => fetchListPage(list, { id, ...params }, from),
    async send(message: UnsentMessage, onProgress: (share: number) => void): Promise<ServerMessage> {
      const { client_id, text } = message
      if (isPrivate) {
        const body = { client_id, input: text, targetUserId: id }
        return (await callEndpoint(chatEndpoints.sendPrivate, body, uploadOptions(body, message, onProgress)))
          .message
      }
      const body = { client_id, message: text, group_id: id }
      return (await callEndpoint(chatEndpoints.sendGroup, body, uploadOptions(body, message, onProgress)))
        .message
    },
    markRead: (last_read_id: number) =>
      callEndpoint(isPrivate ? chatEndpoints.readPrivate : groupEndpoints.read, { id, last_read_id }),
  }
}

/**
 * Returns the options of a request that sends a message. If it has pictures, it is sent as a form instead of
 * JSON.
 */
function uploadOptions(body: object, { pictures }: UnsentMessage, onProgress: (share: number) => void) {
  if (!pictures.length) return {}
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, String(value))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return { form, onProgress }
}
