import { endpoints } from '#core/contract.ts'
import type { calendarSchemas } from './schemas.ts'

export type { CalendarAddress } from './schemas.ts'

export const calendarEndpoints = endpoints<typeof calendarSchemas>({
  get: 'GET /api/calendar-address',
  renew: 'POST /api/calendar-address',
  end: 'DELETE /api/calendar-address',
  feed: 'GET /calendars/:token/events.ics',
})
