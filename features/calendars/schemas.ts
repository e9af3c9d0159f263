import * as v from 'valibot'
import { endpoint, isoTime, noInputSchema } from '#core/schemas.ts'

const CalendarAddress = v.object({
  /** Null without an address. */
  created_at: v.nullable(isoTime),
  /** When a calendar read it last. */
  read_at: v.nullable(isoTime),
})
export type CalendarAddress = v.InferOutput<typeof CalendarAddress>

const limits = [{ max: 10, by: 'account' }] as const

/** An address from which a calendar reads the member's events, without a log-in. */
export const calendarSchemas = {
  get: endpoint('member', noInputSchema, CalendarAddress),
  /** The address is shown once; an earlier one ends. */
  renew: endpoint('member', noInputSchema, v.object({ ...CalendarAddress.entries, url: v.string() }), {
    limits,
  }),
  end: endpoint('member', noInputSchema, CalendarAddress, { limits }),
  /** RFC 5545. 404 for an address that has ended, and while its member is suspended. */
  feed: endpoint(
    'anyone',
    v.object({ token: v.pipe(v.string('invalid'), v.maxLength(100, 'invalid')) }),
    v.undefined(),
    { download: 'text/calendar', limits: [{ max: 30, by: 'address' }], errorStatuses: [404] },
  ),
}
