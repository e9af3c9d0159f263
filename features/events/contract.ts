import { endpoints } from '#core/contract.ts'
import type { eventSchemas } from './schemas.ts'

export type {
  Answer,
  ChangedDate,
  EventChanges,
  EventDate,
  Guest,
  MyAnswer,
  NewEventInput,
  PostEvent,
  PostEvents,
  Scope,
} from './schemas.ts'

export const MAX_TITLE = 100
export const MAX_PLACE = 200
export const MAX_PLACES = 5000
export const MAX_NOTE = 200
export const MAX_GUESTS = 20
/** Of one event. */
export const MAX_DATES = 200
/** In ms: how long one date lasts at most. */
export const MAX_LENGTH = 31 * 86_400_000
/** In ms, between two reminders of a date. */
export const REMINDER_INTERVAL = 12 * 3600_000
export const units = ['day', 'week', 'month', 'year'] as const
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
/** ○ △ ×. */
export const answers = ['yes', 'maybe', 'no'] as const
/** `waiting`: would come, but there is no place. */
export const lists = [...answers, 'waiting'] as const
/** Which dates of an event a change is for. */
export const scopes = ['this', 'following', 'all'] as const

export const eventEndpoints = endpoints<typeof eventSchemas>({
  ofPosts: 'GET /api/events',
  dates: 'GET /api/events/dates',
  holidays: 'GET /api/events/holidays',
  date: 'GET /api/events/dates/:id',
  change: 'PUT /api/events/dates/:id',
  answer: 'PUT /api/events/dates/:id/answer',
  withdraw: 'DELETE /api/events/dates/:id/answer',
  guests: 'GET /api/events/dates/:id/guests',
  missing: 'GET /api/events/dates/:id/missing',
  remind: 'POST /api/events/dates/:id/reminders',
  close: 'POST /api/events/dates/:id/close',
  cancel: 'POST /api/events/dates/:id/cancel',
  restore: 'DELETE /api/events/dates/:id/cancel',
  answerPage: 'GET /events/answer/:token',
  confirmAnswer: 'POST /events/answer/:token',
  attend: 'PUT /api/events/dates/:id/attendance/:user',
})
