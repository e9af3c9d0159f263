import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { LinkPreview, Previews } from './contract.ts'

interface ContentRow {
  user_id: number
  url: string
  site_name: string | null
  title: string
  description: string | null
}

export function toPreview(row: ContentRow): LinkPreview {
  const { user_id, url, site_name: site, title, description } = row
  const { host } = new URL(url)
  const isOnlyHost = site?.toLowerCase() === host.replace(/^www\./, '')
  return { user_id, url, host, site: isOnlyHost ? null : site, title, description }
}

/** By id; null for a text without a preview. Only visible texts, and none while previews are switched off. */
async function readVisiblePreviews(
  viewer: ViewerContext & Pick<AppContext, 'settings'>,
  subject: SubjectKind,
  ids: readonly number[],
): Promise<Previews['posts']> {
  const { column, listVisibleIds } = subjects[subject]
  if (!ids.length || !viewer.settings.current().link_previews) return {}
  const visible = await listVisibleIds(viewer, ids)
  if (!visible.length) return {}
  const rows = await viewer.db
    .selectFrom('link_previews')
    .select([`${column} as subject_id`, 'user_id', 'url', 'site_name', 'title', 'description'])
    .where(column, 'in', visible)
    .where('title', 'is not', null)
    .execute()
  const previews: Previews['posts'] = Object.fromEntries(visible.map((id) => [id, null]))
  for (const { subject_id, title, ...row } of rows)
    previews[subject_id!] = toPreview({ ...row, title: title! })
  return previews
}

export async function list(
  viewer: ViewerContext & Pick<AppContext, 'settings'>,
  input: Readonly<Record<'posts' | 'replies' | 'messages', number[]>>,
): Promise<Previews> {
  const [posts, replies, messages] = await Promise.all([
    readVisiblePreviews(viewer, 'post', input.posts),
    readVisiblePreviews(viewer, 'reply', input.replies),
    readVisiblePreviews(viewer, 'message', input.messages),
  ])
  return { posts, replies, messages }
}

/** Undefined if there is none. Does not check who may see the text. */
export const findRow = (db: Db, subject: SubjectKind, id: number) =>
  db
    .selectFrom('link_previews')
    .select(['id', 'url', 'title'])
    .where(subjects[subject].column, '=', id)
    .executeTakeFirst()

/** One message that the member wrote and that has a preview; null if there is none. */
export async function findMessage(db: Db, member: number) {
  const row = await db
    .selectFrom('link_previews')
    .select('message_id')
    .where('user_id', '=', member)
    .where('message_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.message_id ?? null
}

// The job that visits the pages of links uses the functions below.

/** Undefined if it does not wait for a visit. */
export async function findWaiting(db: Db, id: number) {
  const row = await db
    .selectFrom('link_previews')
    .select(['post_id', 'reply_id', 'message_id', 'user_id', 'url'])
    .where('id', '=', id)
    .where('title', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { post_id, reply_id, message_id, user_id, url } = row
  const subject: SubjectKind = post_id !== null ? 'post' : reply_id !== null ? 'reply' : 'message'
  return { id, subject, subject_id: (post_id ?? reply_id ?? message_id)!, user_id, url }
}

/** The key in `link_pages`, without the fragment of the URL, because servers do not get it. */
export const hashUrl = (url: string) => createHash('sha256').update(url.split('#', 1)[0]!).digest('hex')

/** Undefined if there is no recent visit. */
export const findVisit = (db: Db, url: string) =>
  db
    .selectFrom('link_pages')
    .select(['site_name', 'title', 'description'])
    .where('url_hash', '=', hashUrl(url))
    .where('expires_at', '>', isoNow())
    .executeTakeFirst()

/** Previews that wait until the server visits their page. */
export async function countWaiting(db: Db, member: number) {
  const { count } = await db
    .selectFrom('link_previews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .where('title', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

// The export of the member's data uses the functions below.

export async function countOfMember(db: Db, member: number) {
  const { count } = await db
    .selectFrom('link_previews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first. */
export async function listOwn({ db, me }: MemberViewer, page: PageParams) {
  const found = db
    .selectFrom('link_previews')
    .select(['id', 'post_id', 'reply_id', 'message_id', 'url', 'site_name', 'title', 'description'])
    .select(['created_at', 'removed_at'])
    .where('user_id', '=', me.id)
  const rows = await pageOf(found, sql`id`, page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}
