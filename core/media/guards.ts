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
  const knownRows = queryCaches<GuardedRow | undefined>(['media', 'media_sources'], CACHED_GUARDS)
  const readRow = (picture: string) => knownRows(picture, () => findRow(db, picture))

  return {
    /** Returns whether a picture has no guard, so that everybody who may read the community may see it. */
    isPublic: async (picture: string) => (await readRow(picture))?.guard === null,
    /** Returns the name under which the files of a picture are stored: its own, or that of its source. */
    storedName: async (picture: string) => (await readRow(picture))?.source ?? picture,
    /**
     * Returns whether a member may see a picture that is not public; false if the feature of its guard is not
     * running.
     */
    async mayRead(me: CurrentUser, picture: string) {
      const name = (await readRow(picture))?.guard
      if (!name) return false
      for (const guards of guardsOfFeatures) if (await guards[name]?.(me, picture)) return true
      return false
    },
  }
}
export type MediaAccessControl = ReturnType<typeof createMediaAccessControl>

type GuardedRow = { guard: string | null; source: string | null }

const findRow = (db: Db, picture: string) =>
  db
    .selectFrom('media')
    .leftJoin('media_sources', 'media_sources.name', 'media.name')
    .select(['guard', 'source'])
    .where('media.name', '=', picture)
    .executeTakeFirst()
