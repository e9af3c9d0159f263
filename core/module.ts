import type { AppContext } from '#core/context.ts'
import type { Channels, Contract, Endpoint, Page, PagePart } from '#core/contract.ts'
import type { Migrations } from '#core/database/database.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { Listeners } from '#core/listeners.ts'
import type { Guards } from '#core/realtime/authorisation.ts'
import type { Statistics } from '#core/statistics.ts'

type Contracts = Readonly<Record<string, Contract>>

/** What a feature registers with the app. `C` and `Ch` make routes and guards fit their contracts. */
interface ModuleDefinition<C extends Contracts, Ch extends Channels> {
  /** The name of the feature's folder. */
  name: string
  /** The feature's own pages, from its pages.ts, which the browser reads too. */
  pages?: readonly Page[]
  /** What the feature adds to pages of other features; from its pages.ts. */
  pageParts?: readonly PagePart[]
  /** Calls whose answers every page carries. */
  initialData?: readonly Endpoint[]
  /** What the feature counts for the admin dashboard. */
  statistics?: Statistics
  /** Whether DEMO=off leaves the feature out. */
  sample?: true
  migrations?: Migrations
  contracts?: C
  /** `running` are the modules of all features that run. */
  routes?: (context: AppContext, running: readonly FeatureModule[]) => { [K in keyof C]: Handlers<C[K]> }
  channels?: Ch
  /** Who may subscribe to the channels that are not public. */
  guards?: (context: AppContext) => Guards<Ch>
  /** What the feature does when an earlier feature announces an event. */
  listeners?: Listeners
  /** Runs once all modules are registered, before the server listens. */
  onReady?: (context: AppContext) => Promise<unknown>
}
export type FeatureModule = ModuleDefinition<Contracts, Channels>

type None = Readonly<Record<never, never>>

export const defineModule = <const C extends Contracts = None, const Ch extends Channels = None>(
  definition: ModuleDefinition<C, Ch>,
) => definition as unknown as FeatureModule
