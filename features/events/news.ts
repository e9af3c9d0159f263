import { sql } from 'kysely'
import type { Language } from '#core/contract.ts'
import { idIn, isoNow } from '#core/database/database.ts'
import {
  MAX_READ,
  type NewsEntry,
  type NewsList,
  type NewsViewer,
  personAvatar,
  type ReadNews,
} from '#core/feature/news.ts'
import { dot } from '#core/text/dot.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import { revisions } from '#features/posts/read.ts'
import { list } from './read.ts'

const texts = {
  en: { event: 'Event', asked: (title: string) => `Are you coming? ${title}` },
  ja: { event: '予定', asked: (title: string) => `出欠をお知らせください：${title}` },
} satisfies Record<Language, object>

/** In ms: as far ahead as `/waiting` looks. */
const AHEAD = 366 * 86_400_000

export const readNews: ReadNews = async (viewer, period) => {
  const [asked, fresh] = await Promise.all([waiting(viewer), added(viewer, period.since)])
  return { asked, ...fresh }
}

/** What the member, or a child of the member, has not answered. */
async function waiting(viewer: NewsViewer): Promise<NewsList> {
  const now = Date.now()
  const window = { from: new Date(now).toISOString(), to: new Date(now + AHEAD).toISOString() }
  const { body, next } = await list(viewer, { ...window, mine: '0', unanswered: '1', limit: MAX_READ })
  const posts = body.map(({ post_id }) => post_id)
  const [rows, found] = await Promise.all([
    viewer.db
      .selectFrom('events')
      .select(['post_id', 'created_at'])
      .where(idIn(viewer.db, 'post_id', posts))
      .execute(),
    revisions(viewer, posts),
  ])
  const times = new Map(rows.map(({ post_id, created_at }) => [post_id, created_at]))
  const authors = new Map(found.map(({ post }) => [post.id, post.user]))
  const entries = body.map(({ id, post_id, title, place }): NewsEntry => {
    const author = authors.get(post_id)
    return {
      key: `post ${post_id}`,
      path: `/events/${id}`,
      avatar: author ? personAvatar(author) : null,
      title: texts[viewer.lang].asked(title),
      text: [author?.name, place].filter(Boolean).join(dot[viewer.lang]) || null,
      at: times.get(post_id)!,
    }
  })
  return { path: '/waiting', entries, more: next ? 1 : 0 }
}

/** Of others, that are not over: the next date of each. */
async function added(viewer: NewsViewer, since: string) {
  const older = sql<number>`coalesce((select id from events where created_at <= ${since}
    order by id desc limit 1), 0)`
  const rows = await viewer.db
    .selectFrom('events as e')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'e.user_id')
    .innerJoin('event_dates as d', (join) =>
      join.on(
        'd.id',
        '=',
        sql<number>`(select n.id from event_dates n where n.event_id = e.id and n.ends_at > ${isoNow()}
          and n.cancelled_at is null order by n.begins_at, n.id limit 1)`,
      ),
    )
    .select(['e.post_id', 'e.group_id', 'e.created_at', 'd.id', 'd.title', 'd.begins', 'd.place'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('e.id', '>', older)
    .where('e.user_id', '!=', viewer.me.id)
    .where(visibility.reaches(viewer, 'e.user_id'))
    .where(audiences.visible(viewer, 'e.post_id'))
    .orderBy('e.id', 'desc')
    .limit(MAX_READ)
    .execute()
  const toEntry = ({ post_id, created_at, id, title, place, ...row }: (typeof rows)[number]) => ({
    key: `post ${post_id}`,
    path: `/events/${id}`,
    avatar: personAvatar(
      people.fromRow(viewer.media, {
        id: row.user_id,
        name: row.name,
        image: row.image,
        shared_handle: row.shared_handle,
      }),
    ),
    title: `${texts[viewer.lang].event}${dot[viewer.lang]}${title}`,
    text: [row.name, place].filter(Boolean).join(dot[viewer.lang]),
    at: created_at,
  })
  const toList = (found: typeof rows) => ({ path: '/events', entries: found.map(toEntry) })
  return {
    groups: toList(rows.filter(({ group_id }) => group_id !== null)),
    rest: toList(rows.filter(({ group_id }) => group_id === null)),
  }
}
