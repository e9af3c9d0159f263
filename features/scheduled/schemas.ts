import * as v from 'valibot'
import {
  endpoint,
  extrasSchema,
  idInputSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  optionalText,
} from '#core/schemas.ts'
import { MAX_MESSAGE_LENGTH } from '#features/messages/contract.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_ALT_LENGTH, MAX_POST_IMAGES, MAX_POST_LENGTH } from '#features/posts/contract.ts'
import { fileParts, imageSchema, postSchemas, previewFields } from '#features/posts/schemas.ts'

const time = v.pipe(v.string('string'), v.maxLength(40, 'invalid'), v.isoTimestamp('invalid'))

/** Exactly one of `user_id` and `group_id`. The other fields are as in a message that is sent at once. */
const NewMessage = v.object({
  message: optionalText(MAX_MESSAGE_LENGTH),
  user_id: v.optional(idSchema),
  group_id: v.optional(idSchema),
  alt: v.optional(limitedArray(optionalText(MAX_ALT_LENGTH), MAX_POST_IMAGES), []),
  client_id: optionalText(64),
  quotes_id: v.optional(v.nullable(idOrEmpty)),
  ...previewFields,
  extras: extrasSchema,
  due_at: time,
})

const Scheduled = v.object({
  id: v.number(),
  kind: v.picklist(['post', 'person', 'group']),
  due_at: isoTime,
  text: v.nullable(v.string()),
  /** Only of a post. */
  audience: v.exactOptional(v.picklist(['everyone', 'members', 'followers', 'group'])),
  /** To whom a message goes; null if the member may not see the person any more. */
  person: v.exactOptional(v.nullable(personSchema)),
  /** In which group it will be; null if the member is not in it any more. */
  group: v.exactOptional(v.nullable(v.object({ id: v.number(), name: v.string() }))),
  images: v.array(imageSchema),
  /** Their names. */
  files: v.array(v.string()),
  /** Their names, such as `poll`. */
  extras: v.array(v.string()),
  /** Why it was not sent at its time. It waits for the member then. */
  reason: v.exactOptional(v.string()),
})
export type Scheduled = v.InferOutput<typeof Scheduled>

const Count = v.object({ count: v.number() })
const Added = v.object({ id: v.number(), due_at: isoTime, ...Count.entries })
const limits = [{ max: 60, by: 'account' }] as const
const errorStatuses = [403, 404]

/** Only the member sees them. */
export const scheduledSchemas = {
  /** What comes first is first, at most `MAX_SCHEDULED`. */
  list: endpoint('member', noInputSchema, v.array(Scheduled)),
  /** Refused for the reasons for which the post would be refused now. */
  addPost: endpoint('member', v.object({ ...postSchemas.create.input.entries, due_at: time }), Added, {
    ...{ status: 201, limits, errorStatuses: [403] },
    files: { images: { max: MAX_POST_IMAGES }, ...fileParts },
  }),
  addMessage: endpoint('member', NewMessage, Added, {
    ...{ status: 201, limits, errorStatuses },
    files: { images: { max: MAX_POST_IMAGES }, ...fileParts },
  }),
  /**
   * A missing `text` leaves the text as it is. What could not be sent waits for the new time. Refused for the
   * reasons for which it would be refused now.
   */
  change: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      due_at: time,
      text: v.optional(v.nullable(optionalText(MAX_POST_LENGTH))),
    }),
    v.object({ due_at: isoTime }),
    { limits, errorStatuses },
  ),
  sendNow: endpoint('member', idInputSchema, Count, { limits, errorStatuses }),
  cancel: endpoint('member', idInputSchema, Count, { errorStatuses: [404] }),
}

/** Of what waits, and what could not be sent. */
export const countSchemas = { get: endpoint('member', noInputSchema, Count) }
