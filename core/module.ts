import type { AppContext } from '#core/context.ts'
import type { Channels, Contract, Endpoint, Page, PagePart } from '#core/contract.ts'
import type { Migrations } from '#core/database/database.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { JobKinds } from '#core/jobs/jobs.ts'
import type { JobContext, JobHandlers } from '#core/jobs/runner.ts'
import type { Listeners } from '#core/listeners.ts'
import type { MediaGuard } from '#core/media/guards.ts'
import type { Guards } from '#core/realtime/authorisation.ts'
import type { Statistics } from '#core/statistics.ts'

type Contracts = Readonly<Record<string, Contract>>

/** Handlers of jobs, by kind. Each also gets the services. */
export type ModuleJobs = {
  readonly [Kind in keyof JobKinds]?: (
    payload: JobKinds[Kind],
    job: JobContext,
    context: AppContext,
  ) => Promise<unknown>
}

/**
 * The parts that a feature registers with the app. `C` and `Ch` make routes and guards fit their contracts.
 */
interface ModuleDefinition<C extends Contracts, Ch extends Channels> {
  /** The name of the feature's folder. */
  name: string
  /** The feature's own pages, from its pages.ts, which the browser reads too. */
  pages?: readonly Page[]
  /** Parts that the feature adds to pages of other features, from its pages.ts. */
  pageParts?: readonly PagePart[]
  /** Calls whose answers every page carries. */
  initialData?: readonly Endpoint[]
  /** Numbers for the admin dashboard. */
  statistics?: Statistics
  /** Whether DEMO=off leaves the feature out. */
  sample?: true
  migrations?: Migrations
  contracts?: C
  /** `running` are the modules of all features that run. */
  routes?: (context: AppContext, running: readonly FeatureModule[]) => { [K in keyof C]: Handlers<C[K]> }
  channels?: Ch
  /** Functions that decide who may subscribe to the channels that are not public. */
  guards?: (context: AppContext) => Guards<Ch>
  /** Functions that decide who may see the pictures that the feature attaches with their name. */
  mediaGuards?: (context: AppContext) => Readonly<Record<string, MediaGuard>>
  /** Functions that run when an earlier feature announces an event. */
  listeners?: Listeners
  /** Handlers of the kinds of jobs that the feature adds to `JobKinds`. */
  jobs?: ModuleJobs
  /** Runs once all modules are registered, before the server listens. */
  onReady?: (context: AppContext) => Promise<unknown>
}
export type FeatureModule = ModuleDefinition<Contracts, Channels>

type None = Readonly<Record<never, never>>

export const defineModule = <const C extends Contracts = None, const Ch extends Channels = None>(
  definition: ModuleDefinition<C, Ch>,
) => definition as unknown as FeatureModule

/** Makes handlers for the job runner. `context` is called when a job runs: the services are complete by then. */
export const jobHandlers = (modules: readonly ModuleJobs[], context: () => AppContext) =>
  Object.fromEntries(
    modules
      .flatMap((jobs) => Object.entries(jobs))
      .map(([kind, handle]) => [kind, (payload: never, job: JobContext) => handle(payload, job, context())]),
  ) as Partial<JobHandlers>
