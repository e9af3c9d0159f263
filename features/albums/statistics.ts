import { sql } from 'kysely'
import {
  type CountContent,
  type MemberFilesQuery,
  rowsSince,
  type Statistics,
} from '#core/community/statistics.ts'

/** Who adds a picture has written something. */
export const albumStatistics: Statistics = {
  counts: async () => ({}),
  authors: (since) => rowsSince('album_pictures', since),
}

/** For the admins' list of what takes space. */
export const pictureSizes: MemberFilesQuery = {
  kind: 'album_pictures',
  buildQuery: () => sql`
    select p.user_id, media.bytes from album_pictures p join media on media.name = p.media`,
}

/** They go with the account. */
export const countPictures: CountContent = async (db, user) => {
  const { count } = await db
    .selectFrom('album_pictures')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  return { album_pictures: Number(count) }
}
