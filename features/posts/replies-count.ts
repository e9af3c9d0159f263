import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { createNoSuchPostError } from './read.ts'
import { createPostEventViewersLookup, type PostAuthorAndAudience } from './visible-posts.ts'

// These functions lock posts, change their numbers of replies, and return who gets the live events of
// replies. They do not check whether a viewer may see a post: the feature `replies`, which calls them, checks
// this with `isVisiblePost`.

/** The maximum number of posts that one SQL statement reads or changes. */
const COUNT_BATCH = 1000

/** The data of a post that the feature `replies` needs. */
export interface PostForReplies {
  id: number
  replies_count: number
  /** The id of the post's author. */
  author: number
  /**
   * Whether everybody may see the post: all members, and also visitors if visitors may read the community.
   * False for a hidden post.
   */
  is_public: boolean
  /**
   * The viewers who may see the post now, and therefore get the live events of its replies; undefined for
   * everybody.
   */
  viewers: AllowedEventViewers | undefined
}

type PostRow = PostAuthorAndAudience & { id: number; replies_count: number; hidden: unknown }

const columns = sql`id, replies_count, user_id as author, audience, group_id,
  id in (select post_id from hidden_posts) as hidden`

/**
 * Locks a post until the commit, so that no other transaction deletes or hides it, and returns the data of
 * the post that replies need. Does not check whether a viewer may see the post. Throws 404 if the post does
 * not exist. SQLite needs no lock, because it runs one transaction at a time.
 */
export async function lockPostForRepliesWithoutCheck(
  context: AppContext,
  tx: Tx,
  id: number,
): Promise<PostForReplies> {
  if (isPostgres(tx))
    await tx.selectFrom('posts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { rows } = await sql<PostRow>`select ${columns} from posts where id = ${id}`.execute(tx)
  const [post] = await withViewers(context, tx, rows)
  if (!post) throw createNoSuchPostError()
  return post
}

/**
 * Adds to the numbers of replies of several posts: `changes` has the number to add, by the id of the post.
 * Raises the revisions of the posts too, because lists show the numbers. Returns those of the posts that
 * exist, with their new numbers.
 */
export async function addToRepliesCountsOfPosts(
  context: AppContext,
  tx: Tx,
  changes: ReadonlyMap<number, number>,
): Promise<PostForReplies[]> {
  const changed: PostRow[] = []
  for (const [change, posts] of Map.groupBy(changes, ([, added]) => added)) {
    const ids = posts.map(([id]) => id).sort((a, b) => a - b)
    for (let first = 0; first < ids.length; first += COUNT_BATCH) {
      const { rows } = await sql<PostRow>`update posts
        set replies_count = replies_count + ${change}, revision = revision + 1
        where id in (${sql.join(ids.slice(first, first + COUNT_BATCH))}) returning ${columns}`.execute(tx)
      changed.push(...rows)
    }
  }
  return withViewers(context, tx, changed)
}

/**
 * Returns the posts with these ids that exist, in no particular order. Does not check whether a viewer may
 * see them.
 */
export async function readPostsForRepliesWithoutCheck(context: AppContext, tx: Tx, ids: readonly number[]) {
  const posts: PostRow[] = []
  for (let first = 0; first < ids.length; first += COUNT_BATCH) {
    const batch = ids.slice(first, first + COUNT_BATCH)
    const { rows } =
      await sql<PostRow>`select ${columns} from posts where id in (${sql.join(batch)})`.execute(tx)
    posts.push(...rows)
  }
  return withViewers(context, tx, posts)
}

async function withViewers(
  context: AppContext,
  tx: Tx,
  posts: readonly PostRow[],
): Promise<PostForReplies[]> {
  const viewersOf = await createPostEventViewersLookup({ ...context, db: tx }, posts)
  return posts.map((post) => ({
    id: post.id,
    replies_count: post.replies_count,
    author: post.author,
    is_public: post.audience === 'everyone' && !post.hidden,
    viewers: post.hidden ? [post.author] : viewersOf(post),
  }))
}
