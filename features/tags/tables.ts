import type { MigrationsByName, Tx } from '#core/database/database.ts'
import { findTagsInText } from '#features/people/text-parts-contract.ts'
import { listBatchOfPostTextsForMigrations } from '#features/posts/read-for-listeners.ts'

export interface TagTables {
  /** The table of the tags in the texts of posts. `tag` has the form that `parseTag` returns. */
  post_tags: { tag: string; post_id: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends TagTables {}
}

/**
 * The number of posts whose texts the migration reads at once. A post has up to 20 tags, so one INSERT adds
 * up to 10,000 rows.
 */
const BATCH_SIZE = 500

/** Stores the tags of all posts that were written before the table of tags existed. */
async function storeTagsOfAllPosts(tx: Tx) {
  for (let after = 0; ; ) {
    const posts = await listBatchOfPostTextsForMigrations(tx, { after, limit: BATCH_SIZE })
    const rows = posts.flatMap(({ id, body }) =>
      findTagsInText(body ?? '').map((tag) => ({ tag, post_id: id })),
    )
    if (rows.length) await tx.insertInto('post_tags').values(rows).execute()
    if (posts.length < BATCH_SIZE) return
    after = posts.at(-1)!.id
  }
}

export const tagsMigrations: MigrationsByName = {
  'tags 1': () => [
    `create table post_tags (
      tag text not null, post_id bigint not null references posts (id) on delete cascade,
      primary key (tag, post_id))`,
    'create index post_tags_post on post_tags (post_id)',
    storeTagsOfAllPosts,
  ],
}
