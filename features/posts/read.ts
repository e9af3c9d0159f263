import type { PageParams } from '#core/contract.ts'
import { exists } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import {
  followsSomebody,
  hasOthers,
  listed,
  pageOfPeople,
  profile,
  withAvatar,
} from '#features/people/read.ts'
import { type MemberViewer, type Viewer, visiblePeople } from '#features/people/visibility.ts'
import type { Author, FirstSteps, Post } from './contract.ts'
import { imagesByOwner } from './images.ts'

export const noSuchPost = () =>
  new HttpError(404, { en: 'There is no such post.', ja: 'その投稿は見つかりません。' })

/** A post as everybody sees it, with the revisions of its row and of its author's row. */
export interface PublicPost {
  post: Omit<Post, 'liked_by_me'>
  revision: number
  authorRevision: number
}

/** The posts of some ids that the viewer may see, in no order. */
export async function publicPosts(viewer: Viewer, ids: readonly number[]): Promise<PublicPost[]> {
  if (!ids.length) return []
  const rows = await viewer.db
    .selectFrom('posts as p')
    .innerJoin(visiblePeople(viewer).select(['id', 'name', 'image', 'revision']).as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'p.likes_count', 'p.revision'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.revision as authorRevision'])
    .where('p.id', 'in', ids)
    .execute()
  const images = await imagesByOwner(viewer, 'post_images', 'post_id', ids)
  return rows.map(({ id, body, created_at, likes_count, author_id, name, image, ...revisions }) => ({
    post: {
      id,
      body,
      created_at,
      user: withAvatar(viewer.media, { id: author_id, name, image }),
      images: images.get(id) ?? [],
      likes_count,
    },
    ...revisions,
  }))
}

/** One post. Throws 404 where there is none, or the viewer may not see its author. */
export async function post(viewer: Viewer, id: number): Promise<Post> {
  const [found] = await publicPosts(viewer, [id])
  if (!found) throw noSuchPost()
  return { ...found.post, liked_by_me: viewer.me !== null && (await isLiked(viewer as MemberViewer, id)) }
}

/** Whether there is such a post by somebody whom the viewer may see. */
export const isVisiblePost = (viewer: Viewer, id: number) =>
  exists(
    visiblePeople(viewer)
      .innerJoin('posts', 'posts.user_id', 'users.id')
      .select('posts.id')
      .where('posts.id', '=', id),
  )

export const isLiked = ({ db, me }: Pick<MemberViewer, 'db' | 'me'>, id: number) =>
  exists(db.selectFrom('likes').select('post_id').where('post_id', '=', id).where('user_id', '=', me.id))

/** The people who like a post, by id. Throws 404 where the viewer may not see the post. */
export async function likers(viewer: MemberViewer, { id, ...page }: PageParams & { id: number }) {
  if (!(await publicPosts(viewer, [id])).length) throw noSuchPost()
  const found = listed(viewer).innerJoin('likes', 'likes.user_id', 'users.id').where('likes.post_id', '=', id)
  return pageOfPeople(viewer, await keysetPage(found, 'likes.user_id', page).execute(), page)
}

/** A member's profile, with the number of their posts. */
export async function author(viewer: MemberViewer, id: number): Promise<Author> {
  const about = await profile(viewer, id)
  const { n } = await viewer.db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...about, posts_count: Number(n) }
}

/** Reads the steps that a new member has done so far. */
export async function firstSteps(viewer: MemberViewer): Promise<FirstSteps> {
  const { db, me } = viewer
  const [others, follows, posted] = await Promise.all([
    hasOthers(viewer),
    followsSomebody(viewer),
    exists(db.selectFrom('posts').select('id').where('user_id', '=', me.id).limit(1)),
  ])
  return { others, follows, posted }
}
