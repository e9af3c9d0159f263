import { type Db, idIn } from '#core/database/database.ts'
import type { SearchedText, Watched } from '#features/posts/searched.ts'
import { files, texts as postTexts } from '#features/posts/searched.ts'
import { replyPlace } from './tables.ts'

// What a search index holds of replies. Nothing here checks who may see it.

export const watched: readonly Watched[] = [
  { table: 'replies', id: 'ROW.id', columns: ['body'] },
  { table: 'reply_attachments', id: 'ROW.reply_id', columns: ['alt'] },
]

/** In no particular order, without those that do not exist. */
export async function texts(db: Db, ids: readonly number[]): Promise<(SearchedText & { post_id: number })[]> {
  const rows = await db
    .selectFrom('replies')
    .select(['id', 'user_id', 'body', 'created_at', 'post_id'])
    .where(idIn(db, 'id', ids))
    .execute()
  const posts = await postTexts(
    db,
    rows.map(({ post_id }) => post_id),
  )
  const places = new Map(posts.map(({ id, place }) => [id, place]))
  return rows.flatMap((row) => {
    const place = places.get(row.post_id)
    return place === undefined ? [] : { ...row, place }
  })
}

export const replyFiles = (db: Db, ids: readonly number[]) => files(db, replyPlace, ids)
