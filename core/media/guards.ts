import QuickLRU from 'quick-lru'
import type { Db } from '#core/database/database.ts'

/**
 * Decides whether a member may see a picture, by the row that refers to it. A feature passes its guard's name
 * to `attachPicture`. Visitors see no guarded picture.
 */
export type MediaGuard = (me: number, picture: string) => Promise<boolean>

/** The number of names of public pictures in memory, so that most requests for pictures need no query. */
const CACHED_NAMES = 10_000

/** Creates the functions that decide who may see a picture. Nobody sees a picture that is not attached. */
export function createMediaAccessControl(db: Db, guards: Readonly<Record<string, MediaGuard>>) {
  // The cached names stay right: a picture never changes its guard, and a deleted picture has no files.
  const publicNames = new QuickLRU<string, true>({ maxSize: CACHED_NAMES })

  return {
    /** Returns whether everybody may see a picture. */
    async isPublic(picture: string) {
      if (publicNames.has(picture)) return true
      const row = await guardOf(db, picture)
      if (row?.guard !== null) return false
      publicNames.set(picture, true)
      return true
    },
    /**
     * Returns whether a member may see a picture that is not public; false if the feature of its guard is not
     * running.
     */
    async mayRead(me: number, picture: string) {
      const name = (await guardOf(db, picture))?.guard
      const guard = name ? guards[name] : undefined
      return guard !== undefined && (await guard(me, picture))
    },
  }
}
export type MediaAccessControl = ReturnType<typeof createMediaAccessControl>

const guardOf = (db: Db, picture: string) =>
  db.selectFrom('media').select('guard').where('name', '=', picture).executeTakeFirst()
