import * as v from 'valibot'
import { newsParts } from '#core/feature/news.ts'
import { endpoint, isoTime, noInputSchema } from '#core/schemas.ts'

const NewsEntry = v.object({
  /** What it is about, such as `post 12`: only once on the page. */
  key: v.string(),
  path: v.string(),
  avatar: v.nullable(
    v.object({
      id: v.number(),
      name: v.string(),
      profile_image: v.nullable(v.string()),
      is_group: v.exactOptional(v.literal(true)),
    }),
  ),
  title: v.string(),
  text: v.nullable(v.string()),
  at: isoTime,
  /** Of new messages; 100 if there may be more. */
  count: v.exactOptional(v.number()),
  is_read: v.exactOptional(v.literal(true)),
})
export type NewsEntry = v.InferOutput<typeof NewsEntry>

const NewsSection = v.object({
  part: v.picklist(newsParts),
  /** At most `MAX_SHOWN`, the newest first. */
  entries: v.array(NewsEntry),
  /** Further ones; a lower bound. */
  more: v.number(),
  /** The page with all of them; null if there are no more. */
  path: v.nullable(v.string()),
})
export type NewsSection = v.InferOutput<typeof NewsSection>

const News = v.object({
  since: isoTime,
  /** When the list was made, for `done`. */
  until: isoTime,
  /** The most important first; those with nothing are left out. */
  sections: v.array(NewsSection),
})
export type News = v.InferOutput<typeof News>

const Away = v.object({
  /** As in `News`. */
  since: isoTime,
})

const isPast = (time: string) => Date.parse(time) <= Date.now()
const toUtc = (time: string) => new Date(time).toISOString()
const pastSchema = v.pipe(
  v.string('invalid'),
  v.maxLength(40, 'invalid'),
  v.isoTimestamp('invalid'),
  v.check(isPast, 'invalid'),
  v.transform(toUtc),
)

export const sinceSchemas = {
  news: endpoint('member', noInputSchema, News),
  /** Without the list. Each call is a sign of the visit. */
  away: endpoint('member', noInputSchema, Away),
  /** The member has seen all until then. Never moves back. 422 for a time to come. */
  done: endpoint('member', v.object({ until: pastSchema }), v.object({ since: isoTime }), {
    limits: [{ max: 60, by: 'account' }],
  }),
}
