import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { subjectIdsSchema } from '#features/reactions/schemas.ts'
import { answerKinds, MAX_GUESTS, MAX_NOTE_LENGTH, MAX_OPTION_LENGTH, MAX_OPTIONS } from './contract.ts'

const answerSchema = v.picklist(answerKinds, 'invalid')
export type Answer = v.InferOutput<typeof answerSchema>

// A new poll: the extra `poll` of a post or message, whose text is the question.

/** `voted`: only to those who have voted. A poll that has ended shows its results to all. */
const resultsSchema = v.picklist(['always', 'voted', 'end'], 'invalid')
const endSchema = v.optional(v.nullable(v.pipe(v.string('invalid'), v.isoTimestamp('invalid'))), null)
const common = { results: v.optional(resultsSchema, 'always'), ends_at: endSchema }

/** Options that are equal are one. An editor has empty rows, which are left out. */
const distinct = <T>(options: readonly T[]) => [
  ...new Map(options.map((option) => [JSON.stringify(option), option])).values(),
]
const textOptions = v.pipe(
  limitedArray(optionalText(MAX_OPTION_LENGTH), MAX_OPTIONS),
  v.transform((options) => distinct(options.filter((text) => text !== null))),
)

const isDay = (day: string) => day === '' || new Date(day).toJSON()?.startsWith(day)
/** A day and a time of day, as on a wall clock. */
const dateOption = v.object(
  {
    day: v.pipe(
      v.string('invalid'),
      v.regex(/^(?:\d{4}-\d\d-\d\d)?$/, 'invalid'),
      v.check((day) => Boolean(isDay(day)), 'invalid'),
    ),
    time: v.pipe(
      v.optional(
        v.nullable(v.pipe(v.string('invalid'), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^$/, 'invalid'))),
      ),
      v.transform((time) => time || null),
    ),
  },
  'invalid',
)
const dateOptions = v.pipe(
  limitedArray(dateOption, MAX_OPTIONS),
  v.transform((options) => distinct(options.filter(({ day }) => day !== ''))),
)

export const newPollSchema = v.variant(
  'kind',
  [
    v.object({
      kind: v.literal('choice'),
      options: textOptions,
      choices: v.optional(v.picklist(['one', 'several'], 'invalid'), 'one'),
      ballot: v.optional(v.picklist(['named', 'secret'], 'invalid'), 'named'),
      options_from: v.optional(v.picklist(['author', 'all'], 'invalid'), 'author'),
      ...common,
    }),
    v.object({ kind: v.literal('attendance'), ...common }),
    v.object({ kind: v.literal('dates'), options: dateOptions, ...common }),
  ],
  'invalid',
)
export type NewPoll = v.InferOutput<typeof newPollSchema>
export type NewPollInput = v.InferInput<typeof newPollSchema>

// What the server answers.

const Counts = v.object({ yes: v.number(), maybe: v.number(), no: v.number() })

const PollOption = v.object({
  id: v.number(),
  /** Only of the kind `choice`. */
  text: v.nullable(v.string()),
  /** Only of the kind `dates`; `time` is null for a whole day. */
  day: v.nullable(v.string()),
  time: v.nullable(v.string()),
  /** Null while the viewer may not see the results. A choice counts as `yes`. */
  counts: v.nullable(Counts),
})

/** The same for all viewers who may see the results; the others get null in place of the numbers. */
const SharedPoll = v.object({
  id: v.number(),
  /** Who asks: may end the poll, and sees who has not answered. Null after the end of the account. */
  user_id: v.nullable(v.number()),
  kind: v.picklist(['choice', 'attendance', 'dates']),
  choices: v.picklist(['one', 'several']),
  ballot: v.picklist(['named', 'secret']),
  results: resultsSchema,
  options_from: v.picklist(['author', 'all']),
  ends_at: v.nullable(isoTime),
  /** Null while people can vote. */
  ended_at: v.nullable(isoTime),
  options: v.array(PollOption),
  /** Null in a secret poll until enough have voted. */
  voters_count: v.nullable(v.number()),
  /** Whom those who come bring with them. */
  guests_count: v.nullable(v.number()),
})
export type SharedPoll = v.InferOutput<typeof SharedPoll>

/** Of a secret poll that has ended, `answers` is empty: nobody knows any more what a person chose. */
const Answers = v.object({
  answers: v.array(v.object({ option: v.number(), answer: answerSchema })),
  note: v.nullable(v.string()),
  guests: v.number(),
})
export type Answers = v.InferOutput<typeof Answers>

const Poll = v.object({
  ...SharedPoll.entries,
  /** Null if the viewer has not voted. */
  mine: v.nullable(Answers),
  /** Of the own poll: the last reminder. */
  reminded_at: v.exactOptional(isoTime),
  /** Children for whom the viewer may answer, as a guardian. Not of the kind `choice`. */
  children: v.exactOptional(v.array(v.object({ child: personSchema, answers: v.nullable(Answers) }))),
})
export type Poll = v.InferOutput<typeof Poll>

/** By the id of the post or message; null without a poll, or if the viewer may not see it. */
const PollsById = v.record(v.string(), v.nullable(Poll))
const Polls = v.object({ posts: PollsById, messages: PollsById })
export type Polls = v.InferOutput<typeof Polls>

/** A poll that the viewer has not answered. */
const WaitingPoll = v.object({
  id: v.number(),
  kind: SharedPoll.entries.kind,
  ends_at: v.nullable(isoTime),
  created_at: isoTime,
  /** One of the two is null. */
  post_id: v.nullable(v.number()),
  message_id: v.nullable(v.number()),
  /** Null in a post and in a private chat. */
  group_id: v.nullable(v.number()),
  text: v.nullable(v.string()),
  user: personSchema,
})
export type WaitingPoll = v.InferOutput<typeof WaitingPoll>

const Voter = v.object({
  user: personSchema,
  note: v.nullable(v.string()),
  guests: v.number(),
  /** A guardian has answered. */
  by_guardian: v.boolean(),
})
export type Voter = v.InferOutput<typeof Voter>

// What clients send.

const VoteInput = v.object({
  ...idInputSchema.entries,
  /** Ids of the chosen options. Only for the kind `choice`. */
  options: v.optional(limitedArray(idSchema, MAX_OPTIONS, 1)),
  /** For the other kinds. */
  answers: v.optional(
    limitedArray(v.object({ option: idSchema, answer: answerSchema }, 'invalid'), MAX_OPTIONS, 1),
  ),
  note: optionalText(MAX_NOTE_LENGTH),
  guests: v.optional(
    v.pipe(
      v.number('integer'),
      v.integer('integer'),
      v.minValue(0, 'integer'),
      v.maxValue(MAX_GUESTS, 'invalid'),
    ),
    0,
  ),
  /** A child of whom the member is a guardian. Default: the member. */
  for: v.optional(idSchema),
})

const changeOptions = { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] } as const

export const pollSchemas = {
  list: endpoint('reader', v.object({ posts: subjectIdsSchema, messages: subjectIdsSchema }), Polls),
  /** Running polls of others that the member may answer and has not, the newest first. */
  waiting: endpoint('member', v.object(pageFields(20, 100)), v.array(WaitingPoll), { paginated: true }),
  /** Replaces what the member chose before. 403 after the end. */
  vote: endpoint('member', VoteInput, Poll, changeOptions),
  withdraw: endpoint('member', v.object({ ...idInputSchema.entries, for: v.optional(idSchema) }), Poll, {
    ...changeOptions,
  }),
  /** 403 unless the author of the poll lets others add options. */
  addOption: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, text: requiredText(MAX_OPTION_LENGTH) }),
    Poll,
    {
      limits: [{ max: 30, by: 'account' }],
      errorStatuses: [403, 404],
    },
  ),
  /** Does nothing if the poll has ended. 403 except for the author. */
  end: endpoint('member', idInputSchema, Poll, changeOptions),
  /** 403 while the viewer may not see the results, and for secret polls. */
  voters: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      option: idSchema,
      answer: v.optional(answerSchema, 'yes'),
      ...pageFields(50, 200),
    }),
    v.array(Voter),
    { paginated: true, errorStatuses: [403, 404] },
  ),
  /** Members who see the poll and have not answered. 403 except for the author. */
  missing: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...pageFields(50, 200) }),
    v.array(personSchema),
    { paginated: true, errorStatuses: [403, 404] },
  ),
  /** Who has answered what, and who has not, for spreadsheets. 403 except for the author, and for secret polls. */
  file: endpoint('member', idInputSchema, v.undefined(), {
    download: 'text/csv',
    limits: [{ max: 30, by: 'account' }],
    errorStatuses: [403, 404],
  }),
  /**
   * Tells them, at most every twelve hours. 403 except for the author, after the end, and in a private chat.
   */
  remind: endpoint('member', idInputSchema, v.object({ reminded_at: isoTime }), {
    limits: [{ max: 30, by: 'account' }],
    errorStatuses: [403, 404],
  }),
}

/** To the viewers who get the other events of the post or message. */
export const pollEvents = {
  /** A new poll, new numbers, another option, or the end. Without numbers that some may not see. */
  PollChanged: v.object({
    subject: v.picklist(['post', 'message']),
    subject_id: v.number(),
    poll: SharedPoll,
  }),
}
export type PollEvents = { [E in keyof typeof pollEvents]: v.InferOutput<(typeof pollEvents)[E]> }
