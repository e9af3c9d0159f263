import type { Db } from '#core/database/database.ts'
import type { ReadPeers } from '#core/realtime/presence-peers.ts'
import { allowAllContactRules, type ContactRules } from './contacts.ts'
import { type GroupQueries, noGroups } from './groups.ts'
import { noReports, type OpenReports } from './open-reports.ts'

/** What a feature provides to all. The features before it cannot import it, so they ask the context. */
export interface Provided {
  groups: GroupQueries
  contacts: ContactRules
  openReports: OpenReports
  /** Whether the member has left mails of this kind of notification on. */
  wantsMail(db: Db, member: number, kind: string): Promise<boolean>
  /** Whose presence a member sees while very many members are online. */
  presencePeers: ReadPeers
}

const nobody: Provided = {
  groups: noGroups,
  contacts: allowAllContactRules,
  openReports: noReports,
  wantsMail: async () => true,
  presencePeers: async () => [],
}

/** Throws if two features provide the same. `context` works only after the app is built. */
export function collectProvided<Context>(
  features: readonly { provides?: (context: () => Context) => Partial<Provided> }[],
  context: () => Context,
): Provided {
  const parts = features.map(({ provides }) => provides?.(context) ?? {})
  const names = parts.flatMap(Object.keys)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) throw new Error(`Two features provide ${twice}.`)
  return Object.assign({ ...nobody }, ...parts)
}
