import { sql } from 'kysely'
import { type MemberFilesQuery, rowsSince, type Statistics } from '#core/community/statistics.ts'

const authors = (since: string) => rowsSince('posts', since)

export const postStatistics: Statistics = {
  async counts(db, since) {
    const query = sql<{
      posts_today: number
    }>`select count(*) as posts_today from (${authors(since)}) as recent`
    return (await query.execute(db)).rows[0]!
  },
  authors,
}

/** For the admins' list of what takes space. */
export const pictureSizes: MemberFilesQuery = {
  kind: 'post_pictures',
  buildQuery: () => sql`
    select posts.user_id, media.bytes from post_attachments
    join posts on posts.id = post_attachments.post_id join media on media.name = post_attachments.media`,
}
