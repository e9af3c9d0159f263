import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import ical, { type ICalCalendar, ICalEventStatus } from 'ical-generator'
import { tzlib_get_ical_block } from 'timezones-ical-library'
import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { Download } from '#core/http/downloads.ts'
import type { EventDate } from '#features/events/contract.ts'
import * as events from '#features/events/read.ts'
import { languageOf } from '#features/people/languages.ts'
import * as model from './model.ts'

const DAY = 86_400_000
/** In ms from now. */
const WINDOW = { before: 90 * DAY, after: 400 * DAY }
const PAGE = 200
/** Of `PAGE` dates. */
const MAX_PAGES = 10

const texts = {
  en: {
    yes: 'You are coming.',
    maybe: 'You are undecided.',
    waiting: 'You wait for a place.',
    asks: 'Not answered yet.',
  },
  ja: {
    yes: '参加と回答しました。',
    maybe: '未定と回答しました。',
    waiting: '空き待ちです。',
    asks: 'まだ回答していません。',
  },
} satisfies Record<Language, object>

/** What the member may see now, and has not said no to. */
export async function get(context: AppContext, token: string) {
  const user = await model.open(context, token)
  const lang = await languageOf(context.db, user, context.settings.current().default_language ?? 'en')
  const dates = await listDates(context, user)
  return download(calendar(context, dates, lang))
}

async function listDates(context: AppContext, user: number) {
  const viewer = withoutRoles(context, user)
  const from = new Date(Date.now() - WINDOW.before).toISOString()
  const to = new Date(Date.now() + WINDOW.after).toISOString()
  const found: EventDate[] = []
  let cursor: object | null = {}
  for (let page = 0; cursor && page < MAX_PAGES; page++) {
    const { body, next }: Awaited<ReturnType<typeof events.list>> = await events.list(viewer, {
      ...{ from, to, mine: '0', limit: PAGE },
      ...cursor,
    })
    found.push(...body)
    cursor = next
  }
  return found.filter(({ mine }) => mine?.answer !== 'no')
}

function calendar(context: AppContext, dates: readonly EventDate[], lang: Language) {
  const { name, origin } = context.publicSite
  const calendar = ical({
    name,
    prodId: { company: 'Engawa', product: 'Engawa', language: lang.toUpperCase() },
    ttl: 3600,
    // Without a zone for all, so that times of stamps are in UTC; each event names its own.
    timezone: { name: null, generator: (zone) => tzlib_get_ical_block(zone)[0] ?? null },
  })
  for (const date of dates) addDate(calendar, date, origin, lang)
  return calendar
}

function addDate(calendar: ICalCalendar, date: EventDate, origin: string, lang: Language) {
  const url = new URL(`/events/${date.id}`, origin)
  const begin = Temporal.Instant.from(date.begins_at).toZonedDateTimeISO(date.zone)
  const end = Temporal.Instant.from(date.ends_at).toZonedDateTimeISO(date.zone)
  calendar.createEvent({
    id: `event-${date.id}@${url.hostname}`,
    sequence: date.sequence,
    stamp: new Date(date.changed_at),
    lastModified: new Date(date.changed_at),
    start: date.all_day ? begin.toPlainDate() : begin,
    end: date.all_day ? end.toPlainDate() : end,
    allDay: date.all_day,
    timezone: date.all_day ? null : date.zone,
    summary: date.title,
    location: date.place,
    description: `${stateOf(date, lang)}\n${url.href}`,
    url: url.href,
    status: statusOf(date),
  })
}

const isIn = ({ mine }: EventDate) => mine?.answer === 'yes' && mine.position === undefined

function statusOf(date: EventDate) {
  if (date.cancelled_at !== null) return ICalEventStatus.CANCELLED
  return isIn(date) ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE
}

function stateOf(date: EventDate, lang: Language) {
  const t = texts[lang]
  if (!date.mine) return t.asks
  return date.mine.position === undefined ? (date.mine.answer === 'yes' ? t.yes : t.maybe) : t.waiting
}

function download(calendar: ICalCalendar) {
  const bytes = Buffer.from(calendar.toString())
  return new Download({
    bytes: bytes.length,
    etag: createHash('sha256').update(bytes).digest('base64url'),
    contentType: 'text/calendar; charset=utf-8',
    filename: 'events.ics',
    headers: { 'x-robots-tag': 'noindex' },
    open: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
  })
}
