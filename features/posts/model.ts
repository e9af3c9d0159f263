import { type RawBuilder, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { addExtras, type ExtraValues } from '#core/feature/extras.ts'
import { HttpError } from '#core/http/errors.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import { lockMembers } from '#features/people/blocks.ts'
import type { Person } from '#features/people/contract.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import * as people from '#features/people/read.ts'
import { requireConfirmation, type SessionContext } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import type { NewAttachments } from './attachments.ts'
import * as attachments from './attachments.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import type { Post, PostAudience } from './contract.ts'
import { requireLength } from './limits.ts'
import * as read from './read.ts'
import { POST_FILE_GUARD, POST_IMAGE_GUARD, postPlace } from './tables.ts'

export interface NewPost extends NewAttachments {
  body: string | null
  client_id?: string | null
  /** Default: `everyone`. */
  audience?: PostAudience
  group_id?: number | undefined
  extras?: ExtraValues
}

/**
 * Returns the post as its author sees it, without pictures and files. If the author has used the same `client_id`
 * before, stores nothing, and returns the id of the earlier post, and null as the post. 422 beyond the limits
 * of the settings or if the author is not in the group, 429 beyond the limits for new members.
 */
export const create = (
  context: MemberContext,
  { body, client_id = null, audience = 'everyone', group_id, extras = {}, ...attached }: NewPost,
  created_at = isoNow(),
) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const viewer = { ...context, db: tx }
    if (audience === 'group') {
      // Before the check of the audience, because the author may have left the group since the first request.
      const earlier = await findPostByClientId(tx, me.id, client_id)
      if (earlier !== undefined) return { id: earlier, post: null }
    }
    const columns = await audiences.requireColumns(viewer, audience, group_id)
    const [created, author] = await Promise.all([
      tx
        .insertInto('posts')
        .values({ user_id: me.id, client_id, body, created_at, ...columns })
        .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
        .returning('id')
        .executeTakeFirst(),
      people.get(viewer, me.id),
    ])
    if (!created) return { id: (await findPostByClientId(tx, me.id, client_id))!, post: null }
    requireLength(context, body, 'text')
    await limitNewMember(context, tx, 'post')
    const { id } = created
    const guards = { picture: audience === 'everyone' ? null : POST_IMAGE_GUARD, file: POST_FILE_GUARD }
    await attachments.add(context, tx, { ...postPlace, id, guards }, attached)
    await emit(tx, 'post.created', { id, user_id: me.id, body, ...columns })
    await addExtras(context, tx, { kind: 'post', id, at: created_at }, extras)
    return { id, post: toNewPost({ id, body, created_at, ...columns }, author) }
  })

const toNewPost = (
  { id, body, created_at, audience, group_id }: Pick<NewPost, 'body'> & NewPostColumns,
  user: Person,
): Post => ({
  ...{ id, body, created_at, user, images: [], likes_count: 0, replies_count: 0 },
  ...(audience !== 'everyone' && { audience }),
  ...(group_id !== null && { group_id }),
  ...{ liked_by_me: false, bookmarked_by_me: false },
})

interface NewPostColumns {
  id: number
  created_at: string
  audience: PostAudience
  group_id: number | null
}

async function findPostByClientId(tx: Tx, author: number, client_id: string | null) {
  if (client_id === null) return undefined
  const row = await tx
    .selectFrom('posts')
    .select('id')
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row?.id
}

/**
 * 403 for other members, 404 if the member may not see the post. An admin outside of the audience can delete
 * it only as a moderator, through a report, and needs a recent confirmation (423). The caller deletes the
 * files of the returned pictures; `viewers` may get the live event.
 */
export const remove = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, session, emit } = context
    const post = await tx
      .selectFrom('posts')
      .select(['user_id', 'audience', 'group_id'])
      .where('id', '=', id)
      .where(audiences.inAudience({ ...context, db: tx }, 'posts'))
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!post) throw read.notFound()
    if (post.user_id !== me.id && !(me.is_admin && (await people.isAdmin(tx, me.id))))
      throw (await read.isVisible({ ...context, db: tx }, id)) ? createNotAuthorError() : read.notFound()
    if (post.user_id !== me.id) await requireConfirmation(tx, session.token)
    if (post.user_id === me.id) await emit(tx, 'post.deleting', { id, user_id: me.id })
    const pictures = await deleteRow(tx, id)
    await emit(tx, 'post.deleted', { id, user_id: post.user_id, actor_id: me.id })
    return {
      pictures,
      viewers: await audiences.viewers({ ...context, db: tx }, { ...post, author: post.user_id }),
    }
  })

/** Returns the names of the pictures, which are unreferenced now. */
export async function deleteRow(tx: Tx, id: number) {
  const images = await tx
    .deleteFrom('post_attachments')
    .where('post_id', '=', id)
    .returning('media')
    .execute()
  await tx.deleteFrom('posts').where('id', '=', id).execute()
  const names = images.map(({ media }) => media)
  await lifecycle.detach(tx, names)
  return names
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author or an admin can delete a post.',
    ja: '投稿を削除できるのは、投稿した人と管理者だけです。',
  })

export interface LikeChange {
  liked: boolean
  likes_count: number
  author: number
  is_hidden: boolean
  /** They may get the live event: see `postAudiences.viewers`. */
  viewers: AllowedViewers | undefined
}

export const like = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const added = await addLike(context, tx, id)
    if (added) return added
    const [isVisible, likes] = await Promise.all([
      read.isVisible({ ...context, db: tx }, id),
      readLikesOfPost(context, tx, id),
    ])
    if (!isVisible) throw read.notFound()
    return { liked: true, ...likes }
  })

/**
 * Works even if the member may no longer see the post. If `isVisible` is false, the caller must not tell
 * whether there was a like. 404 if the member neither sees nor likes the post.
 */
export const unlike = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const [isVisible, removed] = await Promise.all([
      read.isVisible({ ...context, db: tx }, id),
      removeLike(context, tx, id),
    ])
    if (removed) return { isVisible, likes: removed }
    if (!isVisible) throw read.notFound()
    return { isVisible, likes: { liked: false, ...(await readLikesOfPost(context, tx, id)) } }
  })

export const toggleLike = (context: MemberContext, id: number) =>
  withLockedPost(context, id, async (tx) => {
    const added = await addLike(context, tx, id)
    if (added) return added
    const [isVisible, removed] = await Promise.all([
      read.isVisible({ ...context, db: tx }, id),
      removeLike(context, tx, id),
    ])
    if (!isVisible || !removed) throw read.notFound()
    return removed
  })

/** Locks the post, so that changes of its likes run one after the other, and the member for a new like. */
const withLockedPost = <T>({ db, me }: MemberContext, id: number, change: (tx: Tx) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await Promise.all([
        sql`select id from posts where id = ${id} for no key update`.execute(tx),
        lockMembers(tx, [me.id]),
      ])
    return change(tx)
  })

/** Undefined if the member likes the post already or may not see it, or if there is no such post. */
async function addLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const viewer = { ...context, db: tx }
  const insert = sql`insert into likes (post_id, user_id, created_at)
    select p.id, ${me.id}, ${isoNow()} from posts p
      join (${visibility.memberIds(viewer)}) u on u.id = p.user_id
    where p.id = ${id} and ${audiences.shown(viewer, 'p')} on conflict do nothing`
  const row = await changeLikes(tx, id, insert, 1)
  if (!row) return undefined
  await emit(tx, 'post.liked', { id, user_id: me.id, author_id: row.author })
  return { liked: true, ...(await toLikeChangeResult(context, tx, row)) }
}

/** Undefined if there was no like. */
async function removeLike(context: MemberContext, tx: Tx, id: number) {
  const { me, emit } = context
  const deletion = sql`delete from likes where post_id = ${id} and user_id = ${me.id}`
  const row = await changeLikes(tx, id, deletion, -1)
  if (!row) return undefined
  await emit(tx, 'post.unliked', { id, user_id: me.id })
  return { liked: false, ...(await toLikeChangeResult(context, tx, row)) }
}

interface LikesRow extends AuthorAudience {
  likes_count: number
  hidden: unknown
}

const likesColumns = sql`likes_count, user_id as author, audience, group_id,
  id in (select post_id from hidden_posts) as hidden`

/**
 * `statement` inserts or deletes one like. Raises the revision too, because lists show the number. Undefined
 * if the statement changed nothing. PostgreSQL does both in one statement, which SQLite cannot do.
 */
async function changeLikes(tx: Tx, id: number, statement: RawBuilder<unknown>, change: 1 | -1) {
  const update = sql`update posts set likes_count = likes_count + ${sql.lit(change)}, revision = revision + 1
    where id = ${id}`
  if (isPostgres(tx)) {
    const { rows } = await sql<LikesRow>`with changed as (${statement} returning post_id)
      ${update} and exists (select 1 from changed) returning ${likesColumns}`.execute(tx)
    return rows[0]
  }
  const { numAffectedRows } = await statement.execute(tx)
  if (!numAffectedRows) return undefined
  return (await sql<LikesRow>`${update} returning ${likesColumns}`.execute(tx)).rows[0]
}

/** For a request that has changed nothing. 404 if there is no such post. */
async function readLikesOfPost(context: MemberContext, tx: Tx, id: number) {
  const { rows } = await sql<LikesRow>`select ${likesColumns} from posts where id = ${id}`.execute(tx)
  if (!rows[0]) throw read.notFound()
  return toLikeChangeResult(context, tx, rows[0])
}

async function toLikeChangeResult(
  context: MemberContext,
  tx: Tx,
  { hidden, likes_count, ...post }: LikesRow,
) {
  return {
    likes_count,
    author: post.author,
    is_hidden: Boolean(hidden),
    viewers: await audiences.viewers({ ...context, db: tx }, post),
  }
}
