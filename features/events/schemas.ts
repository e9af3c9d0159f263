import * as v from 'valibot'
import { timeZoneSchema } from '#core/community/settings-schemas.ts'
import {
  endpoint,
  idInputSchema,
  idListSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  pageFields,
  shortName,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import {
  answers,
  lists,
  MAX_GUESTS,
  MAX_NOTE,
  MAX_PLACE,
  MAX_PLACES,
  MAX_TITLE,
  scopes,
  units,
  weekdays,
} from './contract.ts'

const answerSchema = v.picklist(answers, 'invalid')
export type Answer = v.InferOutput<typeof answerSchema>
const scopeSchema = v.picklist(scopes, 'invalid')
export type Scope = v.InferOutput<typeof scopeSchema>

const count = (min: number, max: number) =>
  v.pipe(v.number('integer'), v.integer('integer'), v.minValue(min, 'invalid'), v.maxValue(max, 'invalid'))
const day = v.pipe(v.string('invalid'), v.maxLength(10, 'invalid'), v.isoDate('invalid'))
/** As on a wall clock, without a zone: `2026-12-05T19:30`, or a date. */
const wallTime = v.pipe(v.string('invalid'), v.regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/, 'invalid'))
const instant = v.pipe(v.string('invalid'), v.maxLength(40, 'invalid'), v.isoTimestamp('invalid'))

// A new event: the extra `event` of a post.

const what = {
  title: shortName(MAX_TITLE),
  place: optionalText(MAX_PLACE),
  /** With the time of day, or without for whole days. */
  begins: wallTime,
  /** Of whole days the last one. */
  ends: wallTime,
  places: v.optional(v.nullable(count(1, MAX_PLACES)), null),
  answers_until: v.optional(v.nullable(instant), null),
}

const repetition = v.object(
  {
    unit: v.picklist(units, 'invalid'),
    every: v.optional(count(1, 12), 1),
    /** Of weeks. */
    days: v.optional(limitedArray(v.picklist(weekdays, 'invalid'), weekdays.length), []),
    /** Of months: the same weekday, such as the second Saturday, in place of the same day of the month. */
    by_weekday: v.optional(v.boolean('invalid'), false),
    /** The last day. */
    until: day,
  },
  'invalid',
)
export type Repetition = v.InferOutput<typeof repetition>

export const newEventSchema = v.object(
  {
    ...what,
    zone: timeZoneSchema,
    repeats: v.optional(v.nullable(repetition), null),
    /** Whom one member may bring. */
    max_guests: v.optional(count(0, MAX_GUESTS), 0),
  },
  'invalid',
)
export type NewEvent = v.InferOutput<typeof newEventSchema>
export type NewEventInput = v.InferInput<typeof newEventSchema>

// What the server answers.

const Counts = v.object({
  /** Members who come, without their guests and without those who wait. */
  yes: v.number(),
  maybe: v.number(),
  no: v.number(),
  /** Members who wait for a place. */
  waiting: v.number(),
  guests: v.number(),
  /** Places that are taken or offered, guests included. */
  taken: v.number(),
})

const MyAnswer = v.object({
  answer: answerSchema,
  guests: v.number(),
  note: v.nullable(v.string()),
  /** From 1, in the waiting list; absent with a place. */
  position: v.exactOptional(v.number()),
  /** A place is free: say yes until then. */
  offered_until: v.exactOptional(isoTime),
})
export type MyAnswer = v.InferOutput<typeof MyAnswer>

/** The same for all viewers. */
const SharedDate = v.object({
  id: v.number(),
  event_id: v.number(),
  post_id: v.number(),
  title: v.string(),
  place: v.nullable(v.string()),
  /** As on a wall clock in `zone`; a date for whole days. */
  begins: v.string(),
  ends: v.string(),
  begins_at: isoTime,
  ends_at: isoTime,
  all_day: v.boolean(),
  zone: v.string(),
  /** RRULE of RFC 5545; null for a single date. */
  rule: v.nullable(v.string()),
  places: v.nullable(v.number()),
  max_guests: v.number(),
  answers_until: v.nullable(isoTime),
  /** Nobody can say yes any more. */
  is_closed: v.boolean(),
  cancelled_at: v.nullable(isoTime),
  /** Of iCalendar: raised by each change of time or place. */
  sequence: v.number(),
  changed_at: isoTime,
  counts: Counts,
})
export type SharedDate = v.InferOutput<typeof SharedDate>

const EventDate = v.object({
  ...SharedDate.entries,
  /** The name of the group that it is for, if the viewer is in it. */
  group: v.exactOptional(
    v.object({ id: v.number(), name: v.string(), has_ended: v.exactOptional(v.literal(true)) }),
  ),
  mine: v.nullable(MyAnswer),
  /** May change and cancel it: who wrote the post, and owners of its group. */
  can_manage: v.boolean(),
  reminded_at: v.exactOptional(isoTime),
  /** The viewer has said that they cannot come on the day. */
  is_absent: v.exactOptional(v.literal(true)),
  /** Children for whom the viewer may answer. */
  children: v.exactOptional(v.array(v.object({ child: personSchema, mine: v.nullable(MyAnswer) }))),
})
export type EventDate = v.InferOutput<typeof EventDate>

const PostEvent = v.object({
  /** The next one, or the last one. */
  date: EventDate,
  /** Those that have not ended, this one included. */
  upcoming: v.number(),
})
export type PostEvent = v.InferOutput<typeof PostEvent>
/** By the id of the post; null without an event, or if the viewer may not see it. */
const PostEvents = v.record(v.string(), v.nullable(PostEvent))
export type PostEvents = v.InferOutput<typeof PostEvents>

const attendanceSchema = v.nullable(v.picklist(['here', 'absent'], 'invalid'))
const Guest = v.object({
  user: personSchema,
  answer: answerSchema,
  guests: v.number(),
  note: v.nullable(v.string()),
  by_guardian: v.boolean(),
  /** Absent with a place. */
  position: v.exactOptional(v.number()),
  attendance: attendanceSchema,
})
export type Guest = v.InferOutput<typeof Guest>

const limits = [{ max: 120, by: 'account' }] as const
const change = { limits, errorStatuses: [403, 404] } as const
const personInput = v.object({ ...idInputSchema.entries, for: v.optional(idSchema) })
const scopeInput = v.object({ ...idInputSchema.entries, scope: v.optional(scopeSchema, 'this') })
const pageInput = v.object({ ...idInputSchema.entries, ...pageFields(50, 200) })

const TOKEN = /^\d{1,15}\.\d{1,15}\.[\w-]{43}$/
const tokenFields = { token: v.pipe(v.string('string'), v.maxLength(100), v.regex(TOKEN, 'invalid')) }

export const eventSchemas = {
  ofPosts: endpoint('reader', v.object({ posts: idListSchema(100) }), PostEvents),
  /**
   * Dates that touch the time from `from` until `to`, those that begin first are first. The next page follows
   * `after_begins` and `after`.
   */
  dates: endpoint(
    'reader',
    v.object({
      from: instant,
      to: instant,
      group: v.optional(idOrEmpty),
      event: v.optional(idOrEmpty),
      /** Those that the member, or a child of the member, has said yes or perhaps to. */
      mine: v.optional(v.picklist(['0', '1'], 'invalid'), '0'),
      /** Of each event only the next date, if the member, or a child of the member, can answer and has not. */
      unanswered: v.optional(v.picklist(['0', '1'], 'invalid'), '0'),
      after_begins: v.optional(instant),
      after: v.optional(idOrEmpty),
      limit: pageFields(50, 200).limit,
    }),
    v.array(EventDate),
    { paginated: true },
  ),
  /** Of Japan, within two years. */
  holidays: endpoint(
    'reader',
    v.object({ from: day, to: day }),
    v.array(v.object({ day: v.string(), name: v.string() })),
  ),
  date: endpoint('reader', idInputSchema, EventDate, { errorStatuses: [404] }),
  /** `following` and `all` move the other dates as far as this one. Those that are over stay as they are. */
  change: endpoint(
    'member',
    v.object({ ...scopeInput.entries, ...what, tell: v.optional(v.boolean('invalid'), true) }),
    EventDate,
    change,
  ),
  /** Takes a place or waits for one. 403 for a yes after the end of answers, without an offer. */
  answer: endpoint(
    'member',
    v.object({
      ...personInput.entries,
      answer: answerSchema,
      note: optionalText(MAX_NOTE),
      guests: v.optional(count(0, MAX_GUESTS), 0),
    }),
    EventDate,
    change,
  ),
  withdraw: endpoint('member', personInput, EventDate, change),
  guests: endpoint(
    'member',
    v.object({ ...pageInput.entries, list: v.optional(v.picklist(lists, 'invalid'), 'yes') }),
    v.array(Guest),
    { paginated: true, errorStatuses: [404] },
  ),
  /** Who sees it and has not answered. 403 except for those who manage it. */
  missing: endpoint('member', pageInput, v.array(personSchema), {
    paginated: true,
    errorStatuses: [403, 404],
  }),
  /** Tells those who have not answered. 403 within twelve hours of the last time, after the end, and in an ended group. */
  remind: endpoint('member', idInputSchema, EventDate, change),
  /** Nobody can say yes any more; a place that becomes free is offered. */
  close: endpoint('member', idInputSchema, EventDate, change),
  cancel: endpoint('member', scopeInput, EventDate, change),
  /** It takes place after all. */
  restore: endpoint('member', scopeInput, EventDate, change),
  /** HTML, for the link in a mail. Changes nothing. */
  answerPage: endpoint('anyone', v.object(tokenFields), v.void(), {
    download: 'text/html',
    limits: [{ max: 600, by: 'address' }],
  }),
  /** The form of that page. The secret in the link allows only to answer for this date, until its end. */
  confirmAnswer: endpoint(
    'anyone',
    v.object({ ...tokenFields, answer: v.optional(answerSchema), note: optionalText(MAX_NOTE) }),
    v.void(),
    {
      download: 'text/html',
      acceptsForm: true,
      needsNoCsrfToken: true,
      limits: [{ max: 600, by: 'address' }],
    },
  ),
  /** On the day: who has come. 403 except for those who manage it, and for the own absence. */
  attend: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, user: idSchema, attendance: attendanceSchema }),
    Guest,
    { limits: [{ max: 600, by: 'account' }], errorStatuses: [403, 404] },
  ),
}

/** To the viewers of the other events of the post. */
const eventEvents = {
  EventChanged: v.object({ post_id: v.number(), date: SharedDate }),
}
export type ChangedDate = v.InferOutput<typeof eventEvents.EventChanged>
export interface EventChanges {
  EventChanged: ChangedDate
}
