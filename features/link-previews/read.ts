import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { MemberViewerContext, ViewerContext } from '#features/people/visibility.ts'
import { listPostVisibilityCacheDependencies } from '#features/posts/visible-posts.ts'
import type { ReactionSubjectKind } from '#features/reactions/contract.ts'
import { reactionSubjectFunctionsByKind } from '#features/reactions/subjects.ts'
import type { LinkPreview, LinkPreviewsByKindAndId } from './contract.ts'

interface ContentRow {
  user_id: number
  url: string
  site_name: string | null
  title: string
  description: string | null
}

export function toLinkPreview(row: ContentRow): LinkPreview {
  const { user_id, url, site_name: site, title, description } = row
  const { host } = new URL(url)
  const isOnlyHost = site?.toLowerCase() === host.replace(/^www\./, '')
  return { user_id, url, host, site: isOnlyHost ? null : site, title, description }
}

/**
 * Returns the previews of those of the posts, replies or messages with these ids that the viewer may see. The
 * keys of the object are the ids; the value is null for a text without a preview. Returns an empty object
 * while previews are switched off.
 */
async function readVisiblePreviews(
  viewer: ViewerContext & Pick<AppContext, 'settings'>,
  subject: ReactionSubjectKind,
  ids: readonly number[],
): Promise<LinkPreviewsByKindAndId['posts']> {
  const { column, listVisibleIds } = reactionSubjectFunctionsByKind[subject]
  if (!ids.length || !viewer.settings.current().link_previews) return {}
  const visible = await listVisibleIds(viewer, ids)
  if (!visible.length) return {}
  const rows = await viewer.db
    .selectFrom('link_previews')
    .select([`${column} as subject_id`, 'user_id', 'url', 'site_name', 'title', 'description'])
    .where(column, 'in', visible)
    .where('title', 'is not', null)
    .execute()
  const previews: LinkPreviewsByKindAndId['posts'] = Object.fromEntries(visible.map((id) => [id, null]))
  for (const { subject_id, title, ...row } of rows)
    previews[subject_id!] = toLinkPreview({ ...row, title: title! })
  return previews
}

/** The maximum number of responses in the cache: one for each viewer and list of posts. */
const MAX_CACHED_ANSWERS = 500

/**
 * Creates the function that reads the previews of posts, replies and messages. The function caches the
 * results of requests that are only for posts, because every page with a list of posts needs one.
 */
export function createCachedLinkPreviewsReader(
  context: Pick<AppContext, 'groups' | 'queryCaches' | 'settings'>,
) {
  const previewsOfPosts = context.queryCaches<LinkPreviewsByKindAndId>(
    [...listPostVisibilityCacheDependencies(context), 'link_previews'],
    MAX_CACHED_ANSWERS,
  )
  return (
    viewer: ViewerContext & Pick<AppContext, 'settings'>,
    input: Readonly<Record<'posts' | 'replies' | 'messages', number[]>>,
  ) => {
    const read = async (): Promise<LinkPreviewsByKindAndId> => {
      const [posts, replies, messages] = await Promise.all([
        readVisiblePreviews(viewer, 'post', input.posts),
        readVisiblePreviews(viewer, 'reply', input.replies),
        readVisiblePreviews(viewer, 'message', input.messages),
      ])
      return { posts, replies, messages }
    }
    if (input.replies.length || input.messages.length) return read()
    const { link_previews } = context.settings.current()
    return previewsOfPosts(`${viewer.me?.id} ${link_previews} ${input.posts.join()}`, read)
  }
}

/**
 * Returns the row with the preview of a post, reply or message; undefined if there is none. Does not
 * check who may see the text.
 */
export const findLinkPreviewRowWithoutAccessCheck = (db: Db, subject: ReactionSubjectKind, id: number) =>
  db
    .selectFrom('link_previews')
    .select(['id', 'url', 'title'])
    .where(reactionSubjectFunctionsByKind[subject].column, '=', id)
    .executeTakeFirst()

/** Returns the id of one message that this member wrote and that has a preview; null if there is none. */
export async function findIdOfAnyMessageByMemberWithLinkPreview(db: Db, member: number) {
  const row = await db
    .selectFrom('link_previews')
    .select('message_id')
    .where('user_id', '=', member)
    .where('message_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.message_id ?? null
}

// The functions below are for the job that visits the pages of links.

/**
 * Returns the preview with this id, and the post, reply or message that it belongs to. Returns undefined if
 * it does not wait for a visit.
 */
export async function findWaitingLinkPreviewById(db: Db, id: number) {
  const row = await db
    .selectFrom('link_previews')
    .select(['post_id', 'reply_id', 'message_id', 'user_id', 'url'])
    .where('id', '=', id)
    .where('title', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { post_id, reply_id, message_id, user_id, url } = row
  const subject: ReactionSubjectKind = post_id !== null ? 'post' : reply_id !== null ? 'reply' : 'message'
  return { id, subject, subject_id: (post_id ?? reply_id ?? message_id)!, user_id, url }
}

/**
 * Returns the hash under which the page of a link is stored in `link_pages`. Leaves out the fragment of the
 * URL, because servers do not get it.
 */
export const hashUrlWithoutFragment = (url: string) =>
  createHash('sha256').update(url.split('#', 1)[0]!).digest('hex')

/**
 * Returns the stored content of the page of a link; undefined if there is no recent one, so that the server
 * must visit the page.
 */
export const findUnexpiredLinkPageVisitResult = (db: Db, url: string) =>
  db
    .selectFrom('link_pages')
    .select(['site_name', 'title', 'description'])
    .where('url_hash', '=', hashUrlWithoutFragment(url))
    .where('expires_at', '>', currentIsoTime())
    .executeTakeFirst()

/**
 * Returns how many previews of the member's posts, replies and messages wait until the server visits their
 * page.
 */
export async function countWaitingLinkPreviewsOfMember(db: Db, member: number) {
  const { count } = await db
    .selectFrom('link_previews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .where('title', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

// The functions below read the previews of the viewer's own texts, for the export of the member's data.

export async function countLinkPreviewsOfMember(db: Db, member: number) {
  const { count } = await db
    .selectFrom('link_previews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists one page of the previews of links in the viewer's own posts, replies and messages, newest first. */
export async function listOwnLinkPreviews({ db, me }: MemberViewerContext, page: PaginationParameters) {
  const found = db
    .selectFrom('link_previews')
    .select(['id', 'post_id', 'reply_id', 'message_id', 'url', 'site_name', 'title', 'description'])
    .select(['created_at', 'removed_at'])
    .where('user_id', '=', me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, sql`id`, page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}
