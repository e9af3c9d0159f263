import { api, apiPage, type Rows } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { chat, groups } from '../contract.ts'
import type { ConversationRef } from './chat-state.ts'
import type { ConversationInfo, MessageRow } from './message.ts'
import type { Outgoing } from './outbox.ts'

interface PageParams {
  after?: number
  limit?: number
}

/** The requests of one conversation, the same for both kinds of chat. */
export interface MessageApi {
  /** What the page itself brought: undefined when it brought nothing. */
  initial(): { info: ConversationInfo; page: Rows<MessageRow[]> } | undefined
  info(): Promise<ConversationInfo>
  /** The newest messages, or the page at the address `from`. */
  page(params?: PageParams, from?: string | null): Promise<Rows<MessageRow[]>>
  send(message: Outgoing, onProgress: (share: number) => void): Promise<MessageRow>
  markRead(lastReadId: number): Promise<unknown>
}

export const createMessageApi = ({ kind, id }: ConversationRef) =>
  kind === 'private' ? privateApi(id) : groupApi(id)

type Answer = ReturnType<typeof initialAnswer>
const initialOf = (info: Answer, page: Answer) =>
  info && page
    ? {
        info: info.body as ConversationInfo,
        page: { rows: page.body as MessageRow[], next: page.next },
      }
    : undefined

const privateApi = (id: number): MessageApi => ({
  initial: () =>
    initialOf(initialAnswer(chat.privateChat, { id }), initialAnswer(chat.privateMessages, { id })),
  info: () => api(chat.privateChat, { id }),
  page: (params, from) => apiPage(chat.privateMessages, { id, ...params }, from),
  async send(message, onProgress) {
    const body = { client_id: message.client_id, input: message.text, targetUserId: id }
    return (await api(chat.sendPrivate, body, uploadOf(body, message, onProgress))).message
  },
  markRead: (last_read_id) => api(chat.readPrivate, { id, last_read_id }),
})

const groupApi = (id: number): MessageApi => ({
  initial: () => initialOf(initialAnswer(groups.show, { id }), initialAnswer(chat.groupMessages, { id })),
  info: () => api(groups.show, { id }),
  page: (params, from) => apiPage(chat.groupMessages, { id, ...params }, from),
  async send(message, onProgress) {
    const body = { client_id: message.client_id, message: message.text, group_id: id }
    return (await api(chat.sendGroup, body, uploadOf(body, message, onProgress))).message
  },
  markRead: (last_read_id) => api(groups.read, { id, last_read_id }),
})

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
