import * as v from 'valibot'
import { channel, endpoint, idSchema, isoTime, outcomeSchema, requiredText } from '#core/schemas.ts'
import { reportFields } from '#features/moderation/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_LENGTH } from './contract.ts'

const messageText = requiredText(MAX_LENGTH)

/** Compared with what the server has signed. */
const signedText = v.pipe(v.string('string'), v.maxLength(100, 'invalid'))

/** Proves who wrote a message: messages are not stored, so a report brings them along. */
const writerSchema = v.object({
  id: v.number(),
  user: personSchema,
  created_at: isoTime,
  /** Over the id, the writer, the time and the text. */
  signature: v.string(),
})
export type Writer = v.InferOutput<typeof writerSchema>

/** In a community that everyone may read, a message has no writer. */
const messageSchema = v.object({ message: v.string(), writer: v.exactOptional(writerSchema) })
export type PublicMessage = v.InferOutput<typeof messageSchema>

export const publicSchemas = {
  send: endpoint(
    'reader',
    v.object({ message: messageText }),
    v.object({ status: v.literal('Message broadcasted!') }),
    { limits: [{ max: 10, by: 'address' }], errorStatuses: [404] },
  ),
  /** Only for messages with a writer, at most seven days old. The fields are those of the live event. */
  report: endpoint(
    'member',
    v.object({
      id: idSchema,
      user_id: idSchema,
      message: messageText,
      created_at: signedText,
      signature: signedText,
      ...reportFields,
    }),
    outcomeSchema,
    { status: 201, errorStatuses: [404], limits: [{ max: 10, by: 'account' }] },
  ),
}

export const publicChannelSchemas = {
  publicChat: channel({ MessageSent: messageSchema }),
}
