import type { VoiceDetails } from '#core/media/file-schemas.ts'
import { conversationEndpoints, type PrivateChat } from '#features/conversations/contract.ts'
import type {
  GroupMessage,
  LiveGroupMessage,
  PrivateMessage,
  QuotedMessage,
} from '#features/conversations/message-schemas.ts'
import type { ConversationRef } from '#features/conversations/web/state.ts'
import type { Me, Person } from '#features/people/contract.ts'
import type { PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import type { ExtraValues } from '#web/composer-extras.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { findAnswer } from '#web/page-data.ts'
import type { Store } from '#web/store.ts'
import type { GroupChat } from '../contract.ts'
import { messageEndpoints } from '../contract.ts'

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
  /** The member has blocked the author (or muted: `is_muted`); a note takes the place of the content. */
  is_blocked?: true | undefined
  is_muted?: true | undefined
  removed_images?: number | undefined
  quoted?: QuotedMessage | undefined
  /** A copy that its author has forwarded from another chat. */
  forwarded?: GroupMessage['forwarded'] | undefined
  files?: GroupMessage['files'] | undefined
}

/** A message that is being sent, or could not be sent. */
export interface UnsentMessage {
  client_id: string
  text: string
  pictures: readonly PickedPicture[]
  /** Has no pictures. Absent in messages that an earlier release has stored. */
  files?: readonly PickedPicture[]
  /** Present in a voice message. */
  voice?: VoiceDetails | undefined
  quoted?: QuotedMessage | undefined
  /** What later features add to a message without pictures and files, such as a poll. */
  extras?: ExtraValues | undefined
  at: string
  state: 'sending' | 'failed'
  /** Null if nothing failed. */
  error: unknown
  /** The part that has been uploaded, from 0 to 1. */
  progress: number
  /** It is sent by itself: after slow mode, after an outage, or after the message before it. */
  isWaiting?: boolean
}

/** Comes in a response or in a live event. */
export type ServerMessage = PrivateMessage | GroupMessage | LiveGroupMessage
export type ConversationInfo = PrivateChat | GroupChat
export const isGroup = (info: ConversationInfo): info is GroupChat => 'members_count' in info

export const pinsOf = ({ info }: { info: ConversationInfo | null }) =>
  (info && isGroup(info) && info.pins) || []

export function toShown(row: ServerMessage, me: Me, info: ConversationInfo): ShownMessage {
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
 * A message of the second list replaces that of the first; of several versions, the last does. An equal
 * message stays the same object, so that it is not rendered again when the newest messages are loaded after
 * an interruption. Older messages are put before the first list without sorting it again.
 */
export function mergeMessages(messages: readonly ShownMessage[], given: readonly ShownMessage[]) {
  const first = messages[0]?.id ?? 0
  if (!given.length) return messages
  // Older versions go first: one that equals the known message is newer than they are.
  const latest = sortById(given)
  if (latest.every(({ id }) => id < first)) return [...latest, ...messages]
  const known = new Map(messages.map((message) => [message.id, message]))
  const changed = latest.filter((message) => !isSameJson(message, known.get(message.id)))
  return changed.length ? sortById([...messages, ...changed]) : messages
}

/** Shown in place of the newest messages, because the user has gone to an earlier one. */
export interface MessageWindow {
  state: Store<Pick<ConversationState, 'messages' | 'olderUrl' | 'olderState'> & { newerUrl: string | null }>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
}

/** Shared by all views of the conversation in this window. */
export interface ConversationState {
  status: 'loading' | 'ready' | 'failed'
  error: unknown
  info: ConversationInfo | null
  /** Oldest first. After an interruption of the connection, some are missing until they are synchronised. */
  messages: readonly ShownMessage[]
  outgoing: readonly UnsentMessage[]
  /** Earlier messages that the list shows in place of the newest ones. */
  window: MessageWindow | null
  /** The list scrolls to this message as soon as it is rendered. */
  target: number | null
  /** Null if the first message of the conversation is loaded. */
  olderUrl: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /** The unread divider is below this message. Infinity for no divider. */
  readBeforeVisit: number
  /** The user has lost access. */
  isClosed: boolean
  /** In milliseconds since 1970; 0 if slow mode does not make the user wait. */
  waitsUntil: number
}

// ── Requests of a conversation ───────────────────────────────────────────────

export function createRequests({ kind, id }: ConversationRef) {
  const isPrivate = kind === 'private'
  const show = isPrivate ? conversationEndpoints.privateChat : messageEndpoints.groupChat
  const list = isPrivate ? messageEndpoints.privateMessages : messageEndpoints.groupMessages
  return {
    /** Reads the responses that came with the HTML page. */
    initial() {
      const [info, page] = [findAnswer(show, { id }), findAnswer(list, { id })]
      if (!info || !page) return undefined
      return {
        info: info.body as ConversationInfo,
        page: { rows: page.body as ServerMessage[], next: page.next },
      }
    },
    info: (): Promise<ConversationInfo> => callEndpoint(show, { id }),
    /** Loads the newest messages, those that `params` select, or the page at the URL `from`. */
    page: (
      params?: { before?: number; after?: number; limit?: number },
      from?: string | null,
    ): Promise<ListPage<ServerMessage[]>> => fetchPage(list, { id, ...params }, from),
    async send(
      message: UnsentMessage,
      onProgress: (share: number) => void,
      signal: AbortSignal,
    ): Promise<ServerMessage> {
      const { client_id, text, quoted, extras } = message
      const fields = { client_id, ...(quoted && { quotes_id: quoted.id }), ...(extras && { extras }) }
      if (isPrivate) {
        const body = { ...fields, input: text, targetUserId: id }
        return (
          await callEndpoint(messageEndpoints.sendPrivate, body, {
            ...(await uploadOptions(body, message, onProgress)),
            signal,
          })
        ).message
      }
      const body = { ...fields, message: text, group_id: id }
      return (
        await callEndpoint(messageEndpoints.sendGroup, body, {
          ...(await uploadOptions(body, message, onProgress)),
          signal,
        })
      ).message
    },
    markRead: (last_read_id: number) =>
      callEndpoint(isPrivate ? conversationEndpoints.readPrivate : conversationEndpoints.readGroup, {
        id,
        last_read_id,
      }),
  }
}

/** The request is a form instead of JSON if the message has pictures or files. */
async function uploadOptions(
  body: object,
  { pictures, files = [], voice }: UnsentMessage,
  onProgress: (share: number) => void,
) {
  if (!pictures.length && !files.length) return {}
  const form = await toForm(body, { pictures, files })
  if (voice) {
    form.set('voice_duration', String(voice.duration))
    form.set('voice_wave', voice.wave.join())
  }
  return { form, onProgress }
}

export async function toForm(
  body: object,
  { pictures, files }: Record<'pictures' | 'files', readonly PickedPicture[]>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.set(name, String(value))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  if (files.length) await (await import('./Files.tsx')).appendFiles(form, files)
  return form
}
