import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idListSchema,
  idSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  pageFields,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_PLANNED, MAX_POSTS, REMINDER_INTERVAL } from './contract.ts'

/** In ms. */
const MAX_TIME = 366 * 24 * 3600_000

const isSoon = (time: string) => {
  const ahead = Date.parse(time) - Date.now()
  return ahead > 0 && ahead < MAX_TIME
}

/** Times are compared as texts. */
const toUtc = (time: string) => new Date(time).toISOString()

const soonSchema = v.pipe(
  v.string('invalid'),
  v.isoTimestamp('invalid'),
  v.check(isSoon, 'invalid'),
  v.transform(toUtc),
)

const areApart = (times: string[]) =>
  times.every((time, at) => !at || Date.parse(time) - Date.parse(times[at - 1]!) >= REMINDER_INTERVAL)

/** The extra `acknowledgement` of a new post. Without `until`, answers are possible until its author ends it. */
export const requestSchema = v.object({
  until: v.optional(soonSchema),
  /** Planned reminders, the first one first, at least `REMINDER_INTERVAL` apart. */
  remind_at: v.optional(v.pipe(limitedArray(soonSchema, MAX_PLANNED), v.check(areApart, 'invalid')), []),
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
  /** The last reminder; null before the first. Only for the author. */
  reminded_at: v.exactOptional(v.nullable(isoTime)),
  /** The author has changed the post after an answer, and not said yet whether to ask again. */
  is_changed: v.exactOptional(v.literal(true)),
})
export type AcknowledgementState = v.InferOutput<typeof AcknowledgementState>

/** By the id of the post; null if it asks for nothing or the viewer may not see it. Empty for visitors. */
const AcknowledgementStates = v.object({ posts: v.record(v.string(), v.nullable(AcknowledgementState)) })
export type AcknowledgementStates = v.InferOutput<typeof AcknowledgementStates>

/** A post that asks who has read it. */
const AskingPost = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  user: personSchema,
  created_at: isoTime,
  state: AcknowledgementState,
})
export type AskingPost = v.InferOutput<typeof AskingPost>

/** The newest post first. */
const list = endpoint('member', v.object(pageFields(20, 50)), v.array(AskingPost), { paginated: true })

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
  /** Posts that wait for the member, up to `MAX_WAITING`. */
  count: endpoint('member', noInputSchema, v.object({ count: v.number() })),
  waiting: list,
  asked: list,
  /** All that the member may see, also after their end. */
  all: list,
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
  /** All lists of `readers`, for spreadsheets: name, group, answer, time, who answered. */
  file: endpoint('member', idInputSchema, v.undefined(), {
    download: 'text/csv',
    limits: [{ max: 30, by: 'account' }],
    errorStatuses: [403, 404],
  }),
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
  /**
   * Notifies those who were asked and have not answered. An urgent one does not wait for the end of quiet
   * hours, and the audit log names it. 403 for others than the author, after the end, and within
   * `REMINDER_INTERVAL` of the last one.
   */
  remind: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, urgent: v.optional(v.boolean('invalid'), false) }),
    AcknowledgementState,
    changeOptions,
  ),
  /** Only for the author. */
  end: endpoint('member', idInputSchema, AcknowledgementState, changeOptions),
}
