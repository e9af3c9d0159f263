import * as v from 'valibot'
import { endpoint, idSchema, isoTime, noInputSchema } from '#core/schemas.ts'
import { MAX_POST_LENGTH } from '#features/posts/contract.ts'
import { MAX_MORE } from './contract.ts'

/** As it was typed: spaces stay. */
const text = v.pipe(
  v.string('string'),
  v.maxLength(2 * MAX_POST_LENGTH, `max:${MAX_POST_LENGTH}`),
  v.check((given) => !given.includes('\0'), 'characters'),
  v.transform((given) => given.toWellFormed()),
)

/** As the form of the client writes it: the server only keeps it for the member. */
const more = v.nullable(v.pipe(v.string('string'), v.maxLength(MAX_MORE, 'invalid')))

const fields = {
  /** Of a new post, or of a message to a person or in a group. */
  kind: v.picklist(['post', 'person', 'group'], 'invalid'),
  /** The person or group; null for a post. */
  id: v.nullable(idSchema),
}

const Draft = v.object({
  kind: fields.kind,
  id: v.nullable(v.number()),
  /** Empty if it was sent or deleted. */
  text: v.string(),
  /** Of a post: its audience, and what features add to it. */
  more: v.nullable(v.string()),
  written_at: isoTime,
})
export type Draft = v.InferOutput<typeof Draft>

/** Only the member sees them. */
export const draftSchemas = {
  /** Newest first, at most `MAX_DRAFTS`. */
  list: endpoint('member', noInputSchema, v.array(Draft)),
  /** Returns what is kept: the newer one, by `written_at`, which is at most now. */
  save: endpoint(
    'member',
    v.object({
      ...fields,
      text,
      more: v.optional(more, null),
      written_at: v.pipe(v.string('string'), v.maxLength(40, 'invalid'), v.isoTimestamp('invalid')),
    }),
    Draft,
    { limits: [{ max: 120, by: 'account' }] },
  ),
}
