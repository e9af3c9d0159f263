import { type Db, isoNow, type Migrations, type Tx } from '#core/database/database.ts'
import type { ImageSizes, Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'

export interface Tables {
  /** The table of the community's picture, with one row (the id is 1) or none. */
  community_picture: { id: number; picture: string; changed_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends Tables {}
}

export const migrations: Migrations = {
  'community picture 1': () => [
    `create table community_picture (
      id integer primary key check (id = 1), picture text not null references media (name),
      changed_at text not null)`,
    'create index community_picture_picture on community_picture (picture)',
  ],
}

const ONLY_ID = 1
/**
 * The sides, in pixels, of the square files of the community's picture: `page` for pages, `icon` for the home
 * screens of phones and for link previews.
 */
export const WIDTHS = { page: 192, icon: 512 } as const
export const pictureSizes: ImageSizes = {
  squares: Object.values(WIDTHS),
}

export const readName = async (db: Db) =>
  (await db.selectFrom('community_picture').select('picture').executeTakeFirst())?.picture ?? null

/**
 * Replaces the picture of the community, or removes it if `picture` is null. Returns the name of the previous
 * picture, which becomes unreferenced; null if there was none. The caller must run one call at a time.
 *
 * The picture has no guard. So everybody may see it in an open community, and only members in a members-only
 * one: see `serveMedia` in core/media/routes.ts.
 */
export async function replace(tx: Tx, picture: Picture | null) {
  const before = await readName(tx)
  await tx.deleteFrom('community_picture').execute()
  if (picture) {
    await lifecycle.attachPicture(tx, picture, null)
    const row = { id: ONLY_ID, picture: picture.name, changed_at: isoNow() }
    await tx.insertInto('community_picture').values(row).execute()
  }
  if (before !== null) await lifecycle.detach(tx, [before])
  return before
}
