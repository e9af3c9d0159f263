import * as v from 'valibot'
import {
  createRequiredTextSchema,
  defineEndpoint,
  defineRealtimeChannel,
  idSchema,
  isoTimestampSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import { reportFields } from '#features/moderation/contract.ts'
import { personSchema } from '#features/people/contract.ts'

export const MAX_PUBLIC_CHAT_MESSAGE_LENGTH = 1000
const messageText = createRequiredTextSchema(MAX_PUBLIC_CHAT_MESSAGE_LENGTH)

/** A text that the server compares with what it has signed. */
const signedText = v.pipe(v.string('string'), v.maxLength(100, 'invalid'))

/** Says who wrote a message, and proves it: no message is stored, so a report brings the message along. */
const writerSchema = v.object({
  id: v.number(),
  user: personSchema,
  created_at: isoTimestampSchema,
  /** The server's signature of the id, the writer, the time and the text. */
  signature: v.string(),
})
export type PublicChatWriter = v.InferOutput<typeof writerSchema>

/** The data of a live message. In a community that everyone may read, a message has no writer. */
const messageSchema = v.object({ message: v.string(), writer: v.exactOptional(writerSchema) })
export type PublicChatMessage = v.InferOutput<typeof messageSchema>

export const publicChatEndpoints = {
  send: defineEndpoint(
    'POST /api/send-message',
    'reader',
    v.object({ message: messageText }),
    v.object({ status: v.literal('Message broadcasted!') }),
    { limits: [{ max: 10, by: 'address' }], errorStatuses: [404] },
  ),
  /** Reports a message that has a writer, at most seven days old. The fields are those of the live event. */
  report: defineEndpoint(
    'POST /api/public-chat/reports',
    'member',
    v.object({
      id: idSchema,
      user_id: idSchema,
      message: messageText,
      created_at: signedText,
      signature: signedText,
      ...reportFields,
    }),
    outcomeSentenceResponseSchema,
    { status: 201, errorStatuses: [404], limits: [{ max: 10, by: 'account' }] },
  ),
}

export const publicChatChannelDefinitions = {
  publicChat: defineRealtimeChannel('chat', { MessageSent: messageSchema }),
}
