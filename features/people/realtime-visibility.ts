import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { RealtimeVisibilityRules } from '#core/realtime/visibility.ts'
import {
  buildHiddenPeopleQuery,
  personVisibilityRules,
  unionOf,
  visibilityAndMuteTableNames,
} from './visibility.ts'

/** The maximum number of sets of member ids that `createRealtimeVisibilityRules` caches. */
const CACHED_SETS = 5000

/**
 * Creates the functions with which the realtime server follows the visibility rules and mutes. Each function
 * returns a cached set of member ids, or null if no rule hides anybody.
 */
export function createRealtimeVisibilityRules({
  db,
  queryCaches,
  contacts,
}: Pick<AppContext, 'db' | 'queryCaches' | 'contacts'>): RealtimeVisibilityRules {
  const ids = queryCaches<ReadonlySet<number>>(visibilityAndMuteTableNames, CACHED_SETS)
  const readIds = async (query: RawBuilder<{ id: number }>) =>
    new Set((await query.execute(db)).rows.map(({ id }) => id))
  const cached = (key: string, query: RawBuilder<{ id: number }> | null) =>
    query && ids(key, () => readIds(query))
  return {
    hiddenFrom: (person) =>
      cached(`from ${person}`, unionOf(personVisibilityRules.map((rule) => rule.hiddenFrom(person)))),
    hiddenPeople: (viewer) => cached(`to ${viewer}`, buildHiddenPeopleQuery(viewer, personVisibilityRules)),
    mutedBy: (person) =>
      cached(`muting ${person}`, sql`select muter_id as id from mutes where muted_id = ${person}`),
    apartFrom: (person) => cached(`apart ${person}`, contacts.apart(person)),
  }
}
