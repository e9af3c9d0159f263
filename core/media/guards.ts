import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'

/**
 * Decides whether a member may see a picture or file, by the row that refers to it. A feature passes its
 * guard's name when it attaches the picture or file. Visitors see nothing that has a guard.
 */
export type MediaReadGuard = (me: CurrentUser, picture: string) => Promise<boolean>
/**
 * The guards of one feature, by name. If several features have a guard of the same name, a member may see
 * the picture if one of these guards allows it.
 */
export type MediaReadGuardsByName = Readonly<Record<string, MediaReadGuard>>

/** The number of pictures whose guard is kept in memory, so that on SQLite most requests need no query. */
const CACHED_GUARDS = 10_000

/** Creates the functions that decide who may see a picture. Nobody sees a picture that is not attached. */
export function createMediaAccessControl(
  { db, queryCaches }: Pick<AppContext, 'db' | 'queryCaches'>,
  guardsOfFeatures: readonly MediaReadGuardsByName[],
) {
  const knownGuards = queryCaches<{ guard: string | null } | undefined>(['media'], CACHED_GUARDS)
  const readGuard = (picture: string) => knownGuards(picture, () => guardOf(db, picture))

  return {
    /** Returns whether a picture has no guard, so that everybody who may read the community may see it. */
    isPublic: async (picture: string) => (await readGuard(picture))?.guard === null,
    /**
     * Returns whether a member may see a picture that is not public; false if the feature of its guard is not
     * running.
     */
    async mayRead(me: CurrentUser, picture: string) {
      const name = (await readGuard(picture))?.guard
      if (!name) return false
      for (const guards of guardsOfFeatures) if (await guards[name]?.(me, picture)) return true
      return false
    },
  }
}
export type MediaAccessControl = ReturnType<typeof createMediaAccessControl>

const guardOf = (db: Db, picture: string) =>
  db.selectFrom('media').select('guard').where('name', '=', picture).executeTakeFirst()
