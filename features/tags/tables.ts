import type { Migrations, Tx } from '#core/database/database.ts'
import { findTags } from '#features/people/text-parts-contract.ts'
import { listPostTexts } from '#features/posts/read-for-listeners.ts'

export interface TagTables {
  /** `tag` has the form that `parseTag` returns. */
  post_tags: { tag: string; post_id: number }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends TagTables {}
}

/** Posts read at once. A post has up to 20 tags, so one INSERT adds up to 10,000 rows. */
const BATCH_SIZE = 500

/** For posts that were written before this table existed, or before texts were read as they are today. */
async function storeTagsOfAllPosts(tx: Tx) {
  for (let after = 0; ; ) {
    const posts = await listPostTexts(tx, { after, limit: BATCH_SIZE })
    const last = posts.at(-1)?.id ?? after
    await tx.deleteFrom('post_tags').where('post_id', '>', after).where('post_id', '<=', last).execute()
    const rows = posts.flatMap(({ id, body }) => findTags(body ?? '').map((tag) => ({ tag, post_id: id })))
    if (rows.length) await tx.insertInto('post_tags').values(rows).execute()
    if (posts.length < BATCH_SIZE) return
    after = last
  }
}

export const tagsMigrations: Migrations = {
  'tags 1': () => [
    `create table post_tags (
      tag text not null, post_id bigint not null references posts (id) on delete cascade,
      primary key (tag, post_id))`,
    'create index post_tags_post on post_tags (post_id)',
    storeTagsOfAllPosts,
  ],
  // Signs inside a tag, such as ・ and 〜, and tags of 〇.
  'tags 2': () => [storeTagsOfAllPosts],
}
