import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { VisibilityRules } from '#core/realtime/visibility.ts'
import * as visibility from './visibility.ts'

const CACHED_SETS = 5000

/** Each function resolves to a cached set of member ids, or null if no rule hides anybody. */
export function realtimeRules({
  db,
  queryCaches,
  contacts,
  presencePeers,
}: Pick<AppContext, 'db' | 'queryCaches' | 'contacts' | 'presencePeers'>): VisibilityRules {
  const ids = queryCaches<ReadonlySet<number>>(visibility.tables, CACHED_SETS)
  const readIds = async (query: RawBuilder<{ id: number }>) =>
    new Set((await query.execute(db)).rows.map(({ id }) => id))
  const cached = (key: string, query: RawBuilder<{ id: number }> | null) =>
    query && ids(key, () => readIds(query))
  return {
    hiddenFrom: (person) =>
      cached(
        `from ${person}`,
        visibility.unionOf(visibility.allRules.map((rule) => rule.hiddenFrom(person))),
      ),
    hiddenPeople: (viewer) => cached(`to ${viewer}`, visibility.hiddenFor(viewer, visibility.allRules)),
    mutedBy: (person) =>
      cached(`muting ${person}`, sql`select muter_id as id from mutes where muted_id = ${person}`),
    apartFrom: (person) => cached(`apart ${person}`, contacts.apart(person)),
    peers: presencePeers,
  }
}
