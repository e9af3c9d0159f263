import * as v from 'valibot'
import { endpoint, idInputSchema, idListSchema, idSchema, isoTime, pageFields } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_POSTS } from './contract.ts'

/** In ms. */
const MAX_TIME = 366 * 24 * 3600_000

const isSoon = (time: string) => {
  const ahead = Date.parse(time) - Date.now()
  return ahead > 0 && ahead < MAX_TIME
}

/** The extra `acknowledgement` of a new post. Without `until`, answers are possible until its author ends it. */
export const requestSchema = v.object({
  until: v.optional(v.pipe(v.string('invalid'), v.isoTimestamp('invalid'), v.check(isSoon, 'invalid'))),
})

/**
 * `asked`: those who could see the post when it was written, and still can. `later`: those who came after it.
 * Those who have left, and suspended members, count nowhere.
 */
const AcknowledgementCounts = v.object({
  asked: v.number(),
  read: v.number(),
  later: v.number(),
  later_read: v.number(),
})
export type AcknowledgementCounts = v.InferOutput<typeof AcknowledgementCounts>

const AcknowledgementState = v.object({
  /** Null if only its author ends it. */
  until: v.nullable(isoTime),
  is_open: v.boolean(),
  /** The viewer wrote the post, and so is not asked. */
  is_own: v.boolean(),
  /** Null if the viewer has not said so. */
  read_at: v.nullable(isoTime),
  /** Those for whom the viewer can answer as a guardian. */
  children: v.array(v.object({ id: v.number(), name: v.string(), read_at: v.nullable(isoTime) })),
  /** Only for the author. */
  counts: v.exactOptional(AcknowledgementCounts),
  /** The author has changed the post after an answer, and not said yet whether to ask again. */
  is_changed: v.exactOptional(v.literal(true)),
})
export type AcknowledgementState = v.InferOutput<typeof AcknowledgementState>

/** By the id of each post that asks for it and that the viewer may see. Empty for visitors. */
const AcknowledgementStates = v.object({ posts: v.record(v.string(), AcknowledgementState) })
export type AcknowledgementStates = v.InferOutput<typeof AcknowledgementStates>

const readerStateSchema = v.picklist(['read', 'waiting', 'later'], 'invalid')
export type ReaderState = v.InferOutput<typeof readerStateSchema>

const Reader = v.object({
  user: personSchema,
  /** Null only for `waiting` and `later`. */
  read_at: v.nullable(isoTime),
  /** The guardian who answered; null if the member did. */
  by: v.nullable(personSchema),
})
export type Reader = v.InferOutput<typeof Reader>

const AnswerInput = v.object({
  ...idInputSchema.entries,
  /** A child of the member, who is its guardian. */
  for: v.optional(idSchema),
})
const changeOptions = { limits: [{ max: 240, by: 'account' }], errorStatuses: [403, 404] } as const

export const acknowledgementSchemas = {
  states: endpoint('reader', v.object({ posts: idListSchema(MAX_POSTS) }), AcknowledgementStates),
  /** Changes nothing if the answer is there already. 403 for the author, and after the end. */
  add: endpoint('member', AnswerInput, AcknowledgementState, changeOptions),
  /** Changes nothing without an answer. 403 after the end. */
  remove: endpoint('member', AnswerInput, AcknowledgementState, changeOptions),
  /** Only for the author and admins. In the order of the members' ids. */
  readers: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      state: v.optional(readerStateSchema, 'read'),
      ...pageFields(100, 500),
    }),
    v.array(Reader),
    { paginated: true, errorStatuses: [403, 404] },
  ),
  /**
   * After a change of the post: removes all answers and asks those who may see the post now, or, with
   * `keep_answers`, keeps them. Only for the author.
   */
  askAgain: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, keep_answers: v.optional(v.boolean('invalid'), false) }),
    AcknowledgementState,
    changeOptions,
  ),
  /** Only for the author. */
  end: endpoint('member', idInputSchema, AcknowledgementState, changeOptions),
}
