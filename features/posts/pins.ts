import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import type { GroupOfMember } from '#core/groups.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { isAdmin } from '#features/people/read.ts'
import { announcePostToAllMembers } from './announcements.ts'
import { createPostHiddenByModeratorError } from './edits.ts'
import { MAX_PINNED_POSTS } from './pin-contract.ts'
import { lockPostForChangeAndReadAuthorAndAudience } from './post-locks.ts'
import { createNoSuchPostError, isVisiblePost } from './read.ts'
import { isPostHiddenByModerator, type PostAuthorAndAudience, readPostEventViewers } from './visible-posts.ts'

// The functions in this file pin and unpin posts. A post whose audience is a group is pinned for this group;
// other posts are pinned for the community. The audience of a post never changes, so the time in the column
// `pinned_at` is all that must be stored.

/** A post that was pinned or unpinned, with its author and the viewers who may get the live event. */
export interface PinnedOrUnpinnedPost {
  id: number
  pinned: boolean
  author: number
  viewers: AllowedEventViewers | undefined
}

/**
 * The result of `pinPost`: the posts that were pinned or unpinned. `announcement` is present if the admin
 * asked to tell everyone.
 */
interface PinPostResult {
  changes: PinnedOrUnpinnedPost[]
  /** `new` if all members are told of the post now, and `earlier` if they were told of it before. */
  announcement?: 'new' | 'earlier'
}

/**
 * Pins a post, and unpins the oldest pinned posts of the community or of the group beyond `MAX_PINNED_POSTS`.
 * So a pinned post that admins can no longer see, for example because its author was suspended, does not stay
 * pinned for ever. With `tellsEveryone`, also tells all members of the post, unless they were told of it
 * before. Throws 404 if the member may not see the post, and 403 if the member may not pin it or a moderator
 * has hidden it. Throws 422 if the audience of the post is the followers of its author, or is a group and
 * `tellsEveryone` is true.
 */
export const pinPost = (context: MemberContext, id: number, tellsEveryone = false) =>
  transaction(context.db, async (tx): Promise<PinPostResult> => {
    const { post, by_owner } = await requirePinRight(context, tx, id)
    if (post.audience === 'followers') throw createFollowersAudienceError()
    if (tellsEveryone && post.audience === 'group') throw createGroupAnnouncementError()
    await acquireNamedTransactionLock(tx, `pinned posts ${post.group_id ?? ''}`)
    // Locks the post before it checks whether the post is hidden: waits for a moderator who is hiding the
    // post, and for a transaction that is deleting it.
    await lockPostForChangeAndReadAuthorAndAudience(tx, id)
    if (await isPostHiddenByModerator(tx, id)) throw createPostHiddenByModeratorError()
    const changes = await pinAndUnpinSurplus(context, tx, { id, by_owner, group_id: post.group_id })
    if (!tellsEveryone) return { changes }
    return {
      changes,
      announcement: (await announcePostToAllMembers(context, tx, id, post.author)) ? 'new' : 'earlier',
    }
  })

/**
 * Pins a post, and unpins the oldest pinned posts beyond the limit. Returns all posts that were changed; an
 * empty list if the post was pinned already.
 */
async function pinAndUnpinSurplus(
  context: MemberContext,
  tx: Tx,
  { id, by_owner, group_id }: { id: number; by_owner: boolean; group_id: number | null },
) {
  const pinned = await setPinned(context, tx, id, { isPinned: true, by_owner })
  if (!pinned) return []
  const changes = [pinned]
  for (const surplus of await listSurplusPins(tx, group_id)) {
    const unpinned = await setPinned(context, tx, surplus, { isPinned: false, by_owner })
    if (unpinned) changes.push(unpinned)
  }
  return changes
}

/**
 * Unpins a post. Returns the post in a list, which is empty if the post was not pinned. Throws 404 if the
 * member may not see the post, and 403 if the member may not pin or unpin it.
 */
export const unpinPost = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx): Promise<PinnedOrUnpinnedPost[]> => {
    const { by_owner } = await requirePinRight(context, tx, id)
    const unpinned = await setPinned(context, tx, id, { isPinned: false, by_owner })
    return unpinned ? [unpinned] : []
  })

/**
 * Returns the post, and as `by_owner` whether the member may pin it only as the owner of its group. Throws
 * 404 if the member may not see the post, and 403 if the member is neither an admin nor the owner of the
 * group.
 */
async function requirePinRight({ me, groups, ...context }: MemberContext, tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!post || !(await isVisiblePost({ ...context, groups, me, db: tx }, id))) throw createNoSuchPostError()
  if (me.is_admin && (await isAdmin(tx, me.id))) return { post, by_owner: false }
  const { group_id } = post
  const ownsGroup = async (group: number) => {
    const own = groups.groupsOf(me.id)
    const { rows } = await sql<GroupOfMember>`select * from (${own}) own_groups where id = ${group}`.execute(
      tx,
    )
    return rows.some(({ is_owner }) => is_owner)
  }
  if (group_id === null || !(await ownsGroup(group_id))) throw createNoRightError()
  return { post, by_owner: true }
}

interface PinSetting {
  isPinned: boolean
  by_owner: boolean
}

/**
 * Pins or unpins a post, and raises its revision. Returns the changed post. Returns null, and
 * changes nothing, if the post is pinned or unpinned already.
 */
async function setPinned(
  context: MemberContext,
  tx: Tx,
  id: number,
  { isPinned, by_owner }: PinSetting,
): Promise<PinnedOrUnpinnedPost | null> {
  const post: PostAuthorAndAudience | undefined = await tx
    .updateTable('posts')
    .set((q) => ({ pinned_at: isPinned ? currentIsoTime() : null, revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .where('pinned_at', isPinned ? 'is' : 'is not', null)
    .returning(['user_id as author', 'audience', 'group_id'])
    .executeTakeFirst()
  if (!post) return null
  const event = { id, user_id: post.author, actor_id: context.me.id, group_id: post.group_id, by_owner }
  if (isPinned) await context.emit(tx, 'post.pinned', event)
  else await context.emit(tx, 'post.unpinned', event)
  const viewers = await readPostEventViewers({ ...context, db: tx }, post)
  return { id, pinned: isPinned, author: post.author, viewers }
}

/**
 * Returns the ids of the pinned posts beyond `MAX_PINNED_POSTS`, of a group, or of the community if `group`
 * is null.
 */
async function listSurplusPins(tx: Tx, group: number | null) {
  const pinned = await tx
    .selectFrom('posts')
    .select('id')
    .where('group_id', group === null ? 'is' : '=', group)
    .where('pinned_at', 'is not', null)
    .orderBy('pinned_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return pinned.slice(MAX_PINNED_POSTS).map(({ id }) => id)
}

/** Unpins a post that a moderator hides, so that it does not count among the pinned posts. */
export const unpinHiddenPost = (tx: Tx, id: number) =>
  tx
    .updateTable('posts')
    .set((q) => ({ pinned_at: null, revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .where('pinned_at', 'is not', null)
    .execute()

const createFollowersAudienceError = () =>
  createInvalidFieldError('id', {
    en: 'A post that only followers see cannot be pinned.',
    ja: 'フォロワー限定の投稿はピン留めできません。',
  })

const createGroupAnnouncementError = () =>
  createInvalidFieldError('tell_everyone', {
    en: 'Everyone can be told only of a post that is pinned for the whole community.',
    ja: 'みんなにお知らせできるのは、コミュニティ全体にピン留めする投稿だけです。',
  })

const createNoRightError = () =>
  new HttpError(403, {
    en: 'Only admins can pin a post, and the owner of a group a post of this group.',
    ja: '投稿をピン留めできるのは管理者だけです。グループの投稿は、そのグループのオーナーもピン留めできます。',
  })
