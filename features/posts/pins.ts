import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import * as people from '#features/people/read.ts'
import { announce } from './announcements.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import { MAX_PINNED_POSTS } from './contract.ts'
import { hiddenError } from './edits.ts'
import { lockPostToChange } from './post-locks.ts'
import * as read from './read.ts'
import './events.ts'

// A post whose audience is a group is pinned for this group; other posts for the community. The audience
// never changes, so the time in the column `pinned_at` is all that must be stored.

/** `viewers` may get the live event. */
export interface PinChange {
  id: number
  pinned: boolean
  author: number
  viewers: AllowedViewers | undefined
}

interface PinPostResult {
  changes: PinChange[]
  /** `earlier` if all members were told of the post before. Absent if the admin did not ask for it. */
  announcement?: 'new' | 'earlier'
}

/**
 * Unpins the oldest pins beyond `MAX_PINNED_POSTS`, so that a pinned post that admins can no longer see, for
 * example because its author was suspended, does not stay pinned for ever. 404 if the member may not see the
 * post, 403 if the member may not pin it or a moderator has hidden it, 422 if its audience is the followers
 * of the author, or a group while `tellsEveryone` is true.
 */
export const pinPost = (context: MemberContext, id: number, tellsEveryone = false) =>
  transaction(context.db, async (tx): Promise<PinPostResult> => {
    const { post, by_owner } = await requirePinRight(context, tx, id)
    if (post.audience === 'followers') throw followersError()
    if (tellsEveryone && post.audience === 'group') throw announcementError()
    await lockName(tx, `pinned posts ${post.group_id ?? ''}`)
    // Waits for a moderator who is hiding the post, and for a transaction that is deleting it.
    await lockPostToChange(tx, id)
    if (await audiences.isHidden(tx, id)) throw hiddenError()
    const changes = await pinAndUnpinSurplus(context, tx, { id, by_owner, group_id: post.group_id })
    if (!tellsEveryone) return { changes }
    return {
      changes,
      announcement: (await announce(context, tx, { id, author: post.author, role: 'admin' }))
        ? 'new'
        : 'earlier',
    }
  })

/** An empty list if the post was pinned already. */
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

/** The list is empty if the post was not pinned. 404 if it is not visible, 403 if the member has no right. */
export const unpinPost = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx): Promise<PinChange[]> => {
    const { by_owner } = await requirePinRight(context, tx, id)
    const unpinned = await setPinned(context, tx, id, { isPinned: false, by_owner })
    return unpinned ? [unpinned] : []
  })

/** `by_owner`: the member may pin it only as the owner of its group. 404 and 403 as `unpinPost`. */
async function requirePinRight({ me, groups, ...context }: MemberContext, tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!post || !(await read.isVisible({ ...context, groups, me, db: tx }, id))) throw read.notFound()
  if (me.is_admin && (await people.isAdmin(tx, me.id))) return { post, by_owner: false }
  const { group_id } = post
  if (group_id === null || !(await audiences.isGroupOwner({ groups, me }, tx, group_id)))
    throw createNoRightError()
  return { post, by_owner: true }
}

interface PinSetting {
  isPinned: boolean
  by_owner: boolean
}

/** Null if the post is pinned or unpinned already. */
async function setPinned(
  context: MemberContext,
  tx: Tx,
  id: number,
  { isPinned, by_owner }: PinSetting,
): Promise<PinChange | null> {
  const post: AuthorAudience | undefined = await tx
    .updateTable('posts')
    .set((q) => ({ pinned_at: isPinned ? isoNow() : null, revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .where('pinned_at', isPinned ? 'is' : 'is not', null)
    .returning(['user_id as author', 'audience', 'group_id'])
    .executeTakeFirst()
  if (!post) return null
  const event = { id, user_id: post.author, actor_id: context.me.id, group_id: post.group_id, by_owner }
  if (isPinned) await context.emit(tx, 'post.pinned', event)
  else await context.emit(tx, 'post.unpinned', event)
  const viewers = await audiences.viewers({ ...context, db: tx }, post)
  return { id, pinned: isPinned, author: post.author, viewers }
}

/** For the community if `group` is null. */
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

/** A hidden post must not count among the pinned posts. */
export const unpinHidden = (tx: Tx, id: number) =>
  tx
    .updateTable('posts')
    .set((q) => ({ pinned_at: null, revision: q('revision', '+', 1) }))
    .where('id', '=', id)
    .where('pinned_at', 'is not', null)
    .execute()

const followersError = () =>
  fieldError('id', {
    en: 'A post that only followers see cannot be pinned.',
    ja: 'フォロワー限定の投稿はピン留めできません。',
  })

const announcementError = () =>
  fieldError('tell_everyone', {
    en: 'Everyone can be told only of a post that is pinned for the whole community.',
    ja: 'みんなにお知らせできるのは、コミュニティー全体にピン留めする投稿だけです。',
  })

const createNoRightError = () =>
  new HttpError(403, {
    en: 'Only admins can pin a post, and the owner of a group a post of this group.',
    ja: '投稿をピン留めできるのは、管理者だけです。グループの投稿は、そのグループのまとめ役もピン留めできます。',
  })
