import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'

/** A feature names its guard when it attaches a picture or file. Visitors see nothing that has such a guard. */
export type MediaGuard = (me: CurrentUser, name: string) => Promise<boolean>

/**
 * Decides for visitors (null) too, unless only members may read the community. As strangers may get such a
 * file, browsers only save it, and never show it.
 */
export interface OpenGuard {
  mayRead: (me: CurrentUser | null, name: string) => Promise<boolean>
}
/** If several features have a guard of the same name, one that allows is enough. */
export type MediaGuards = Readonly<Record<string, MediaGuard | OpenGuard>>

/** In memory, so that on SQLite most requests need no query. */
const CACHED_GUARDS = 10_000

/** Nobody sees a picture that is not attached. */
export function createMediaAccess(
  { db, queryCaches }: Pick<AppContext, 'db' | 'queryCaches'>,
  guardsOfFeatures: readonly MediaGuards[],
) {
  const knownRows = queryCaches<GuardedRow | undefined>(['media', 'media_sources'], CACHED_GUARDS)
  const readRow = (picture: string) => knownRows(picture, () => findRow(db, picture))
  const guardsOf = async (picture: string) => {
    const name = (await readRow(picture))?.guard
    return name ? guardsOfFeatures.flatMap((guards) => guards[name] ?? []) : []
  }

  return {
    /** True without a guard: everybody who may read the community may see it. */
    isPublic: async (picture: string) => (await readRow(picture))?.guard === null,
    /** Whether a browser may show the file in place of saving it. */
    mayShow: async (file: string) => (await guardsOf(file)).every((guard) => typeof guard === 'function'),
    /** The name of its files: its own, or that of its source. */
    storedName: async (picture: string) => (await readRow(picture))?.source ?? picture,
    /** For a picture that is not public. False if the feature of its guard is not running. */
    async mayRead(me: CurrentUser | null, picture: string) {
      for (const guard of await guardsOf(picture)) {
        const isOpen = typeof guard === 'object'
        if (isOpen ? await guard.mayRead(me, picture) : me && (await guard(me, picture))) return true
      }
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
