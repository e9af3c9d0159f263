import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildNotApartCondition } from '#features/people/apart.ts'
import { buildVisiblePersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import {
  buildReachingMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { listPostVisibilityCacheDependencies } from '#features/posts/visible-posts.ts'
import type {
  EmojiReactionCountWithMine,
  ReactionSubjectKind,
  ReactionSummariesAndOfferedEmoji,
  Reactor,
} from './contract.ts'
import { reactionSubjectFunctionsByKind } from './subjects.ts'

/** The reactions to several posts, replies or messages of one kind, by the id of each. */
export type ReactionCountsMapBySubjectId = Map<number, EmojiReactionCountWithMine[]>

/**
 * Returns the numbers of reactions to the posts, replies or messages with these ids, by id and emoji. The
 * emoji that was used first is first. Does not check who may see them. The numbers are the same for all
 * viewers, like the numbers of likes (docs/decisions/0014-one-like-count.md); only `mine` depends on the
 * viewer.
 */
export async function countReactionsByIdAndEmojiWithoutCheck(
  { db, me }: Pick<ViewerContext, 'db' | 'me'>,
  subject: ReactionSubjectKind,
  ids: readonly number[],
): Promise<ReactionCountsMapBySubjectId> {
  const found: ReactionCountsMapBySubjectId = new Map(ids.map((id) => [id, []]))
  if (!ids.length) return found
  const column = reactionSubjectFunctionsByKind[subject].column
  const isMine: RawBuilder<number> = sql`max(case when user_id = ${me?.id ?? 0} then 1 else 0 end)`
  const rows = await db
    .selectFrom('reactions')
    .select([`${column} as subject_id`, 'emoji'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), isMine.as('mine')])
    .where(column, 'in', ids)
    .groupBy([column, 'emoji'])
    .orderBy(({ fn }) => fn.min('id'))
    .execute()
  for (const { subject_id, emoji, count, mine } of rows)
    found.get(subject_id!)!.push({ emoji, count: Number(count), mine: Number(mine) === 1 })
  return found
}

/** The maximum number of responses with reactions that are cached: one for each viewer and list of posts. */
const MAX_CACHED_SUMMARIES = 500

/**
 * Creates the function that returns the reactions to posts, replies and messages. The function caches its
 * results for requests with posts alone, which the pages with post lists send.
 */
export function createCachedReactionSummariesReader(
  context: Pick<AppContext, 'groups' | 'queryCaches' | 'settings'>,
) {
  const summariesOfPosts = context.queryCaches<ReactionSummariesAndOfferedEmoji>(
    [...listPostVisibilityCacheDependencies(context), 'reactions'],
    MAX_CACHED_SUMMARIES,
  )
  return (viewer: ViewerContext, input: Readonly<Record<'posts' | 'replies' | 'messages', number[]>>) => {
    const emoji = [...context.settings.current().reaction_emoji]
    const countById = async (subject: ReactionSubjectKind, ids: readonly number[]) =>
      Object.fromEntries(await countVisibleReactions(viewer, subject, ids))
    const read = async (): Promise<ReactionSummariesAndOfferedEmoji> => {
      const [posts, replies, messages] = await Promise.all([
        countById('post', input.posts),
        countById('reply', input.replies),
        countById('message', input.messages),
      ])
      return { emoji, posts, replies, messages }
    }
    if (input.replies.length || input.messages.length) return read()
    return summariesOfPosts(`${viewer.me?.id} ${emoji.join(' ')} ${input.posts.join()}`, read)
  }
}

/**
 * Returns the numbers of reactions to those of the posts, replies or messages with these ids that the viewer
 * may see.
 */
const countVisibleReactions = async (
  viewer: ViewerContext,
  subject: ReactionSubjectKind,
  ids: readonly number[],
) =>
  countReactionsByIdAndEmojiWithoutCheck(
    viewer,
    subject,
    await reactionSubjectFunctionsByKind[subject].listVisibleIds(viewer, ids),
  )

export const isVisibleReactionSubject = async (
  viewer: ViewerContext,
  subject: ReactionSubjectKind,
  id: number,
) => (await reactionSubjectFunctionsByKind[subject].listVisibleIds(viewer, [id])).length > 0

/**
 * Returns whether the member reacts to the post, reply or message with this emoji. Does not check whether the
 * member may see it.
 */
export async function hasReactedWithEmoji(
  { db, me }: Pick<MemberViewerContext, 'db' | 'me'>,
  subject: ReactionSubjectKind,
  id: number,
  emoji: string,
) {
  const row = await db
    .selectFrom('reactions')
    .select('id')
    .where(reactionSubjectFunctionsByKind[subject].column, '=', id)
    .where('emoji', '=', emoji)
    .where('user_id', '=', me.id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns whether the member reacts to the post, reply or message with any emoji. Does not check whether the
 * member may see it.
 */
export const hasReactedWithAnyEmoji = (db: Db, subject: ReactionSubjectKind, id: number, member: number) =>
  hasMatchingRow(
    db
      .selectFrom('reactions')
      .select('id')
      .where(reactionSubjectFunctionsByKind[subject].column, '=', id)
      .where('user_id', '=', member),
  )

/**
 * Returns the emoji with which people other than the viewer react to the posts, replies or messages with
 * these ids, as a Map by id. Counts only people whom the viewer may see and has not muted. The emoji that
 * most people use is first. Does not check whether the viewer may see the posts, replies or messages.
 */
export async function readReactionEmojiOfOthersByIdWithoutCheck(
  viewer: MemberViewerContext,
  subject: ReactionSubjectKind,
  ids: readonly number[],
) {
  const found = new Map<number, string[]>(ids.map((id) => [id, []]))
  if (!ids.length) return found
  const column = `r.${reactionSubjectFunctionsByKind[subject].column}` as const
  const rows = await buildReachingMembersQuery(viewer)
    .innerJoin('reactions as r', 'r.user_id', 'users.id')
    .select([`${column} as subject_id`, 'r.emoji'])
    .where(column, 'in', ids)
    .where('r.user_id', '!=', viewer.me.id)
    .groupBy([column, 'r.emoji'])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy(({ fn }) => fn.min('r.id'))
    .execute()
  for (const { subject_id, emoji } of rows) found.get(subject_id!)!.push(emoji)
  return found
}

/**
 * Returns one page of the people who react to a post, reply or message and whom the viewer may see, newest
 * reaction first, without those whom a guardian keeps apart from the viewer. Throws 404 if the viewer may
 * not see the post, reply or message.
 */
export async function listReactors(
  viewer: MemberViewerContext,
  subject: ReactionSubjectKind,
  { id, emoji, ...page }: PaginationParameters & { id: number; emoji?: string | undefined },
) {
  const { column, createNotFoundError } = reactionSubjectFunctionsByKind[subject]
  if (!(await isVisibleReactionSubject(viewer, subject, id))) throw createNotFoundError()
  const found = viewer.db
    .selectFrom('reactions as r')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'r.user_id')
    .select(['r.id', 'r.emoji', 'r.created_at'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where(`r.${column}`, '=', id)
    .where(buildNotApartCondition(viewer, 'r.user_id'))
    .$if(emoji !== undefined, (query) => query.where('r.emoji', '=', emoji!))
  const rows = await limitQueryToKeysetPagePlusOneRow(found, sql`r.id + 0`, page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ user_id, name, image, shared_handle, ...reaction }): Reactor => ({
          ...reaction,
          user: toPersonFromRow(viewer.media, { id: user_id, name, image, shared_handle }),
        }),
      ),
  )
}

// The functions below read the reactions of one member. The export of the member's data uses them.

export async function countReactionsGivenByMember(db: Db, member: number) {
  const { count } = await db
    .selectFrom('reactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns one page of the reactions of the viewer, newest first. */
export async function listOwnReactions({ db, me }: MemberViewerContext, page: PaginationParameters) {
  const found = db
    .selectFrom('reactions')
    .select(['id', 'post_id', 'reply_id', 'message_id', 'emoji', 'created_at'])
    .where('user_id', '=', me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, sql`id + 0`, page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}
