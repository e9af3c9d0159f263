import { sql } from 'kysely'
import type { Language } from '#core/contract.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import {
  MAX_READ,
  type NewsEntry,
  type NewsList,
  type NewsViewer,
  personAvatar,
  type ReadNews,
} from '#core/feature/news.ts'
import { dot } from '#core/text/dot.ts'
import { excerpt } from '#core/text/format.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'
import * as posts from './read.ts'

/** The newest posts that are looked at. */
const MAX_COUNTED = 1000
const MAX_TEXT = 140

const texts = {
  en: { pictures: 'Pictures', post: 'A post' },
  ja: { pictures: '写真', post: '投稿' },
} satisfies Record<Language, object>

interface Found {
  id: number
  group_id: number | null
}

/** Without the viewer's own. */
async function newIds(viewer: NewsViewer, since: string) {
  const people = visibility.reaching(viewer).select('id')
  const { rows } = await sql<Found>`select p.id, p.group_id from posts p join ${people} u on u.id = p.user_id
    where p.id > coalesce((select id from posts where created_at <= ${since} order by id desc limit 1), 0)
      and p.user_id <> ${viewer.me.id} and ${audiences.shown(viewer, 'p')}
    order by p.id desc limit ${MAX_COUNTED}`.execute(viewer.db)
  return rows
}

/** Posts for the viewer's groups, and all others. By mail, members choose of whose posts they hear. */
export const readNews: ReadNews = async (viewer, { since, by_mail }) => {
  if (by_mail) return {}
  const found = await newIds(viewer, since)
  const inGroups = found.filter(({ group_id }) => group_id !== null)
  const others = found.filter(({ group_id }) => group_id === null)
  const shown = [...inGroups.slice(0, MAX_READ), ...others.slice(0, MAX_READ)].map(({ id }) => id)
  const [entries, names] = await Promise.all([
    toEntries(viewer, shown),
    inGroups.length ? groupNames(viewer) : new Map<number, string>(),
  ])
  const list = (part: readonly Found[]): NewsList => ({
    path: '/',
    more: Math.max(0, part.length - MAX_READ),
    entries: part.slice(0, MAX_READ).flatMap(({ id, group_id }) => {
      const entry = entries.get(id)
      const group = group_id === null ? undefined : names.get(group_id)
      return entry ? [group === undefined ? entry : inGroup(viewer.lang, entry, group)] : []
    }),
  })
  return { groups: list(inGroups), rest: list(others) }
}

const inGroup = (lang: Language, entry: NewsEntry, group: string) => ({
  ...entry,
  title: `${group}${dot[lang]}${entry.title}`,
})

async function groupNames({ db, groups, me }: NewsViewer) {
  const { rows } = await sql<GroupOfMember>`select * from (${groups.groupsOf(me.id)}) own`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function toEntries(viewer: NewsViewer, ids: readonly number[]) {
  const t = texts[viewer.lang]
  const found = await posts.revisions(viewer, ids)
  return new Map(
    found.map(({ post: { id, body, user, images, created_at } }) => [
      id,
      {
        key: `post ${id}`,
        path: `/posts/${id}`,
        avatar: personAvatar(user),
        title: user.name,
        text: body === null ? (images.length ? t.pictures : t.post) : excerpt(body, MAX_TEXT),
        at: created_at,
      } satisfies NewsEntry,
    ]),
  )
}
