import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import * as read from './read.ts'

// No function here checks whether a viewer may see a post: the feature `replies` does, with `posts.isVisible`.

/** Posts that one SQL statement reads or changes. */
const COUNT_BATCH = 1000

export interface RepliedPost {
  id: number
  replies_count: number
  author: number
  /** For all members, and for visitors if they may read the community. False for a hidden post. */
  is_public: boolean
  /** They get the live events of the replies; undefined for everybody. */
  viewers: AllowedViewers | undefined
}

type PostRow = AuthorAudience & { id: number; replies_count: number; hidden: unknown }

const columns = sql`id, replies_count, user_id as author, audience, group_id,
  id in (select post_id from hidden_posts) as hidden`

/** No other transaction deletes or hides the post until the commit. 404 if it does not exist. */
export async function lock(context: AppContext, tx: Tx, id: number): Promise<RepliedPost> {
  if (isPostgres(tx))
    await tx.selectFrom('posts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { rows } = await sql<PostRow>`select ${columns} from posts where id = ${id}`.execute(tx)
  const [post] = await withViewers(context, tx, rows)
  if (!post) throw read.notFound()
  return post
}

/**
 * `changes` has the number to add, by the id of the post. Raises the revisions too, because lists show the
 * numbers. Returns the posts that exist, with their new numbers.
 */
export async function addReplies(
  context: AppContext,
  tx: Tx,
  changes: ReadonlyMap<number, number>,
): Promise<RepliedPost[]> {
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

/** The posts that exist, in no particular order. */
export async function list(context: AppContext, tx: Tx, ids: readonly number[]) {
  const posts: PostRow[] = []
  for (let first = 0; first < ids.length; first += COUNT_BATCH) {
    const batch = ids.slice(first, first + COUNT_BATCH)
    const { rows } =
      await sql<PostRow>`select ${columns} from posts where id in (${sql.join(batch)})`.execute(tx)
    posts.push(...rows)
  }
  return withViewers(context, tx, posts)
}

async function withViewers(context: AppContext, tx: Tx, posts: readonly PostRow[]): Promise<RepliedPost[]> {
  const viewersOf = await audiences.viewersLookup({ ...context, db: tx }, posts)
  return posts.map((post) => ({
    id: post.id,
    replies_count: post.replies_count,
    author: post.author,
    is_public: post.audience === 'everyone' && !post.hidden,
    viewers: post.hidden ? [post.author] : viewersOf(post),
  }))
}
