import { sql } from 'kysely'
import { type Db, idIn } from '#core/database/database.ts'
import type { PostAudience } from '#features/posts/contract.ts'
import type { SearchedText, Watched } from '#features/posts/searched.ts'
import { files, toSearched } from '#features/posts/searched.ts'
import { replyPlace } from './tables.ts'

// What a search index holds of replies. Nothing here checks who may see it.

export const watched: readonly Watched[] = [
  { table: 'replies', id: 'ROW.id', columns: ['body'] },
  { table: 'reply_attachments', id: 'ROW.reply_id', columns: ['alt'] },
]

/** In no particular order, without those that do not exist. */
export async function texts(db: Db, ids: readonly number[]): Promise<(SearchedText & { post_id: number })[]> {
  const { rows } = await sql<{
    id: number
    user_id: number
    body: string | null
    created_at: string
    post_id: number
    audience: PostAudience
    group_id: number | null
  }>`select r.id, r.user_id, r.body, r.created_at, r.post_id, p.audience, p.group_id
    from replies r join posts p on p.id = r.post_id where ${idIn(db, 'r.id', ids)}`.execute(db)
  return rows.map(({ post_id, ...row }) => ({ ...toSearched(row), post_id }))
}

export const replyFiles = (db: Db, ids: readonly number[]) => files(db, replyPlace, ids)
