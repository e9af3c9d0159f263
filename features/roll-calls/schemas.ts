import * as v from 'valibot'
import {
  channel,
  endpoint,
  idInputSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  noInputSchema,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_PLACE, MAX_TITLE, MAX_WAITED, MAX_WORDS } from './contract.ts'
import { isPhoneNumber, toPhoneNumber } from './phone-numbers.ts'

/** `away`: is not here, and so is not concerned. */
const stateSchema = v.picklist(['safe', 'help', 'away'], 'invalid')
export type RollCallState = v.InferOutput<typeof stateSchema>

const groupSchema = v.object({ id: v.number(), name: v.string() })

export const rollCallSchema = v.object({
  id: v.number(),
  title: v.string(),
  /** An exercise. */
  is_drill: v.boolean(),
  /** Null: everybody is asked. */
  group: v.nullable(groupSchema),
  /** Null if the account was deleted. */
  started_by: v.nullable(personSchema),
  started_at: isoTime,
  /** Null while answers are taken. */
  ended_at: v.nullable(isoTime),
  /** Whether the current member may see the board and end it. */
  manages: v.boolean(),
  /** How many of the current member and their children have not answered. */
  waiting: v.number(),
})
export type RollCall = v.InferOutput<typeof rollCallSchema>

const rollCallAnswerSchema = v.object({
  id: v.number(),
  state: stateSchema,
  words: v.nullable(v.string()),
  place: v.nullable(v.string()),
  at: isoTime,
  /** The person, or a guardian; null if that account was deleted. */
  by: v.nullable(personSchema),
})
export type RollCallAnswer = v.InferOutput<typeof rollCallAnswerSchema>

const askedPersonSchema = v.object({
  person: personSchema,
  /** Newest first, at most twenty. */
  answers: v.array(rollCallAnswerSchema),
})
export type AskedPerson = v.InferOutput<typeof askedPersonSchema>

const rollCallDetailsSchema = v.object({
  ...rollCallSchema.entries,
  /** The current member first, then their children; those who were asked. */
  people: v.array(askedPersonSchema),
})
export type RollCallDetails = v.InferOutput<typeof rollCallDetailsSchema>

/** `none`: without an answer. Suspended members do not count. */
export const boardCountsSchema = v.object({
  help: v.number(),
  none: v.number(),
  away: v.number(),
  safe: v.number(),
})
export type BoardCounts = v.InferOutput<typeof boardCountsSchema>

const boardSchema = v.object({
  counts: boardCountsSchema,
  /** Only if everybody is asked: at most `MAX_GROUPS`, the newest first. */
  groups: v.array(v.object({ ...groupSchema.entries, counts: boardCountsSchema })),
})

const boardMemberSchema = v.object({
  person: personSchema,
  /** Null without an answer. */
  answer: v.nullable(rollCallAnswerSchema),
  /** Null if the member gave none, or shows it to nobody. */
  phone: v.nullable(v.string()),
})
export type BoardMember = v.InferOutput<typeof boardMemberSchema>

const boardStateSchema = v.picklist(['help', 'none', 'away', 'safe'], 'invalid')

/** Of a form too. */
const waitedSchema = v.optional(
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))], 'invalid'),
    v.integer('integer'),
    v.minValue(0, 'invalid'),
    v.maxValue(MAX_WAITED, 'invalid'),
  ),
  0,
)
const answerFields = {
  state: stateSchema,
  words: optionalText(MAX_WORDS),
  place: optionalText(MAX_PLACE),
  /**
   * For how long it has waited for a connection, in seconds. It changes nothing if there is an answer that was
   * given after it, perhaps on another device.
   */
  waited: waitedSchema,
}

const TOKEN_PATTERN = /^\d{1,15}\.\d{1,15}\.[\w-]{43}$/
const tokenFields = { token: v.pipe(v.string('string'), v.maxLength(100), v.regex(TOKEN_PATTERN, 'invalid')) }

export const rollCallSchemas = {
  /** Those in which the current member, or a child of theirs, was asked, or that they manage. Newest first. */
  list: endpoint('member', v.object(pageFields(20, 50)), v.array(rollCallSchema), { paginated: true }),
  /** Whom the current member may ask; admins at most `MAX_GROUPS` groups, the newest first. */
  scopes: endpoint(
    'member',
    noInputSchema,
    v.object({ everyone: v.boolean(), groups: v.array(groupSchema) }),
  ),
  /**
   * By admins; by the owner of a group for the group. Everybody is told at once, by all channels; a drill
   * waits for the end of quiet hours. 409 if one of the same people is running.
   */
  start: endpoint(
    'member',
    v.object({
      title: requiredText(MAX_TITLE),
      is_drill: v.optional(v.boolean('invalid'), false),
      group_id: v.optional(v.nullable(idSchema), null),
    }),
    rollCallDetailsSchema,
    { status: 201, errorStatuses: [403, 404, 409], limits: [{ max: 10, by: 'account' }] },
  ),
  show: endpoint('member', idInputSchema, rollCallDetailsSchema),
  /** `for`: a child of the current member. Each change is kept. 409 after the end. */
  answer: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...answerFields, for: v.optional(v.nullable(idSchema), null) }),
    rollCallDetailsSchema,
    { errorStatuses: [409], limits: [{ max: 60, by: 'account' }] },
  ),
  /** 404 for members who do not manage it, like the next four. */
  board: endpoint('member', idInputSchema, boardSchema),
  /** Those who need help first, then those without an answer. `after` comes from the header `Link`. */
  members: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      ...pageFields(50, 200),
      state: v.optional(boardStateSchema),
      group_id: v.optional(idOrEmpty),
    }),
    v.array(boardMemberSchema),
    { paginated: true },
  ),
  end: endpoint('member', idInputSchema, rollCallDetailsSchema),
  /** A table as CSV, in UTF-8. */
  report: endpoint('member', idInputSchema, v.void(), { download: 'text/csv' }),
  /** To print beforehand: members with their telephone numbers. 403 as for `start`. */
  numbers: endpoint('member', v.object({ group_id: v.optional(idOrEmpty) }), v.void(), {
    download: 'text/html',
    errorStatuses: [403, 404],
  }),
  /** A page for the link of a mail, without scripts. A visit changes nothing. */
  page: endpoint('anyone', v.object(tokenFields), v.void(), {
    download: 'text/html',
    limits: [{ max: 600, by: 'address' }],
  }),
  /** The form of that page. The secret in the link allows only answers to this roll call, until its end. */
  confirm: endpoint(
    'anyone',
    v.object({ ...tokenFields, ...answerFields, for: v.optional(idOrEmpty) }),
    v.void(),
    {
      download: 'text/html',
      acceptsForm: true,
      needsNoCsrfToken: true,
      limits: [{ max: 600, by: 'address' }],
    },
  ),
}

const phoneAudienceSchema = v.picklist(['everyone', 'owners', 'nobody'], 'invalid')
/** `owners`: admins, and the owners of the member's groups. `nobody` besides the member. */
export type PhoneAudience = v.InferOutput<typeof phoneAudienceSchema>

const ownPhoneSchema = v.object({ number: v.nullable(v.string()), shown_to: phoneAudienceSchema })
export type OwnPhone = v.InferOutput<typeof ownPhoneSchema>

export const phoneSchemas = {
  own: endpoint('member', noInputSchema, ownPhoneSchema),
  /** Without a number, deletes it. */
  save: endpoint(
    'member',
    v.object({
      number: v.pipe(
        optionalText(40),
        v.transform((given) => given && toPhoneNumber(given)),
        v.check((number) => number === null || isPhoneNumber(number), 'invalid'),
      ),
      shown_to: phoneAudienceSchema,
    }),
    ownPhoneSchema,
    { limits: [{ max: 20, by: 'account' }] },
  ),
  /** Null if there is none, or the current member may not see it. */
  of: endpoint('member', idInputSchema, v.object({ number: v.nullable(v.string()) })),
}

export const rollCallChannelSchemas = {
  board: channel({
    /** A member has answered, or the roll call has ended. */
    RollCallChanged: v.object({
      user_id: v.nullable(v.number()),
      state: v.nullable(stateSchema),
      ended_at: v.nullable(isoTime),
    }),
  }),
}
