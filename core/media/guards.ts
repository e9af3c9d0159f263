import QuickLRU from 'quick-lru'
import type { Db } from '#core/database/database.ts'

/**
 * Decides whether a member may see a picture, by the row that refers to it. A feature passes its guard's name
 * to `attach`. Visitors see no guarded picture.
 */
export type MediaGuard = (me: number, picture: string) => Promise<boolean>

/** Names of public pictures that stay in memory, so that most requests for pictures read no row. */
const CACHED_NAMES = 10_000

/** Says who may see a picture. Only attached pictures are shown to anybody. */
export function createMediaAccess(db: Db, guards: Readonly<Record<string, MediaGuard>>) {
  // A picture never changes its guard. After it is deleted, its files are gone.
  const publicNames = new QuickLRU<string, true>({ maxSize: CACHED_NAMES })

  return {
    async isPublic(picture: string) {
      if (publicNames.has(picture)) return true
      const row = await guardOf(db, picture)
      if (row?.guard !== null) return false
      publicNames.set(picture, true)
      return true
    },
    /** For a picture that is not public. False also where the feature that guards it does not run. */
    async mayRead(me: number, picture: string) {
      const name = (await guardOf(db, picture))?.guard
      const guard = name ? guards[name] : undefined
      return guard !== undefined && (await guard(me, picture))
    },
  }
}
export type MediaAccess = ReturnType<typeof createMediaAccess>

const guardOf = (db: Db, picture: string) =>
  db.selectFrom('media').select('guard').where('name', '=', picture).executeTakeFirst()
