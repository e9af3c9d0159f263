import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'

/** A feature names its guard when it attaches a picture or file. Visitors see nothing that has a guard. */
export type MediaGuard = (me: CurrentUser, picture: string) => Promise<boolean>
/** If several features have a guard of the same name, one that allows is enough. */
export type MediaGuards = Readonly<Record<string, MediaGuard>>

/** In memory, so that on SQLite most requests need no query. */
const CACHED_GUARDS = 10_000

/** Nobody sees a picture that is not attached. */
export function createMediaAccess(
  { db, queryCaches }: Pick<AppContext, 'db' | 'queryCaches'>,
  guardsOfFeatures: readonly MediaGuards[],
) {
  const knownRows = queryCaches<GuardedRow | undefined>(['media', 'media_sources'], CACHED_GUARDS)
  const readRow = (picture: string) => knownRows(picture, () => findRow(db, picture))

  return {
    /** True without a guard: everybody who may read the community may see it. */
    isPublic: async (picture: string) => (await readRow(picture))?.guard === null,
    /** The name of its files: its own, or that of its source. */
    storedName: async (picture: string) => (await readRow(picture))?.source ?? picture,
    /** For a picture that is not public. False if the feature of its guard is not running. */
    async mayRead(me: CurrentUser, picture: string) {
      const name = (await readRow(picture))?.guard
      if (!name) return false
      for (const guards of guardsOfFeatures) if (await guards[name]?.(me, picture)) return true
      return false
    },
  }
}
export type MediaAccess = ReturnType<typeof createMediaAccess>

type GuardedRow = { guard: string | null; source: string | null }

const findRow = (db: Db, picture: string) =>
  db
    .selectFrom('media')
    .leftJoin('media_sources', 'media_sources.name', 'media.name')
    .select(['guard', 'source'])
    .where('media.name', '=', picture)
    .executeTakeFirst()
