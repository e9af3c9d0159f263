import type * as v from 'valibot'
import type { Retention } from '#core/community/retention.ts'
import type { CountContent, MemberFilesQuery, Statistics } from '#core/community/statistics.ts'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import type { Channels, Endpoint, Endpoints } from '#core/contract.ts'
import type { Migrations, Tx } from '#core/database/database.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { JobPayloads } from '#core/jobs/jobs.ts'
import type { JobHandlers, RunningJob } from '#core/jobs/runner.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import {
  type ChannelSchema,
  type EndpointSchemas,
  joinChannels,
  joinEndpoints,
  type ServedChannels,
  type ServedEndpoints,
} from '#core/schemas.ts'
import type { ExportSection } from './exports.ts'
import type { Extra, Written } from './extras.ts'
import type { Listeners } from './listeners.ts'
import type { ReadNews } from './news.ts'
import type { ServerPage, ServerSection } from './pages.ts'
import type { Provided } from './provided.ts'

type Contracts = Readonly<Record<string, EndpointSchemas>>

/**
 * The handlers of a module's jobs, by kind. Each handler gets the services (AppContext) as its last
 * argument.
 */
export type ModuleJobHandlers = {
  readonly [Kind in keyof JobPayloads]?: (
    payload: JobPayloads[Kind],
    job: RunningJob,
    context: AppContext,
  ) => Promise<unknown>
}

/** A call of an endpoint whose response is in the HTML of a page, so that the browser does not request it. */
export interface InlinedCall {
  endpoint: Endpoint
  input: Readonly<Record<string, unknown>>
}

/**
 * The parts that a feature registers with the app. The types `C` and `Ch` ensure that `routes` and `guards`
 * fit the contracts and channels.
 */
interface ModuleDefinition<C extends Contracts, Ch extends Channels> {
  name: string
  /** The feature's own pages, from its server-pages.ts, or from pages.ts, which the browser reads too. */
  pages?: readonly ServerPage[]
  /** Sections that the feature adds to pages of other features, from its server-pages.ts or page-sections.ts. */
  pageSections?: readonly ServerSection[]
  /** The endpoints whose responses are included in the HTML of every page. */
  initialData?: readonly Endpoint[]
  /**
   * Returns further calls whose responses a page includes, besides those of `initialData`. They may depend on
   * settings, and on the responses to the calls of `initialData` (`answers`), for example on the ids of its
   * posts.
   */
  listFurtherInitialCalls?: (
    answers: readonly { endpoint: Endpoint; body: unknown }[],
    context: Pick<AppContext, 'settings'>,
  ) => readonly InlinedCall[]
  /**
   * The members' files of one kind that the feature stores, with a query for their sizes, for the admins'
   * list of what takes space.
   */
  storedFiles?: MemberFilesQuery
  statistics?: Statistics
  exportSection?: ExportSection
  /** Counts what a member has written. The member sees the numbers before the deletion of the account. */
  countContent?: CountContent
  /** Counts and removes old messages or pictures, if the community does not keep them for ever. */
  retention?: Retention
  /** Whether DEMO=off leaves the feature out, and the setting `show_samples` switches it on and off. */
  isDemo?: true
  /**
   * Resolves to whether the feature's pages and endpoints do not exist for this member. Its channels, also
   * public ones, have guards for that.
   */
  isHiddenFrom?: (context: AppContext, me: number) => Promise<boolean>
  migrations?: Migrations
  /** Both sides of each contract. */
  contracts?: { readonly [K in keyof C]: readonly [NoInfer<Endpoints<C[K]>>, C[K]] }
  /**
   * Returns the handlers of the endpoints in `contracts`. `running` has the modules of all features that run.
   */
  routes?: (
    context: AppContext,
    running: readonly FeatureModule[],
  ) => { [K in keyof C]: Handlers<Endpoints<C[K]>> }
  channels?: readonly [Ch, { readonly [K in keyof Ch]: ChannelSchema }]
  /**
   * Functions that decide who may subscribe to the channels that are not public, and which members may not
   * subscribe to a public one.
   */
  guards?: (context: AppContext) => ChannelGuards<Ch>
  /**
   * Functions that decide who may see a picture or file, by the name that the feature passes to
   * `lifecycle.attachPicture` or `lifecycle.attachFile`.
   */
  mediaGuards?: (context: AppContext) => MediaGuards
  /** What earlier features, which cannot import this one, find in the context. */
  provides?: (context: () => AppContext) => Partial<Provided>
  /** What the feature adds to posts and messages as they are written, by its name on the wire. */
  extras?: Readonly<Record<string, Extra>>
  /** What is new for a member. */
  news?: ReadNews
  /** Removes what is left of deleted rows in the file of a SQLite database, besides the rows themselves. */
  purge?: (context: AppContext) => Promise<unknown>
  /** Functions that run when a feature before this one in `featureModules` announces an event. */
  listeners?: Listeners
  /** Handlers of the kinds of jobs that the feature adds to `JobPayloads`. */
  jobs?: ModuleJobHandlers
  /**
   * Starts work that runs as long as the app, before the server listens. `close` of the returned object
   * ends the work. `running` are the modules of all features that run. `jobRetryDelays` replaces the
   * default delays of the feature's job runners; tests pass it.
   */
  startBackgroundWork?: (
    context: AppContext,
    running: readonly FeatureModule[],
    jobRetryDelays?: readonly number[],
  ) => { close(): Promise<unknown> }
  /**
   * Creates a function that returns the path of the page that a member has to see first, or null. If
   * several features name a page, the page of the last one in `featureModules` comes first.
   */
  requiredPage?: (context: AppContext) => (me: number) => Promise<string | null>
  /** A function that runs once, when all modules are registered and before the server listens. */
  onReady?: (context: AppContext) => Promise<unknown>
}
export interface FeatureModule extends Omit<ModuleDefinition<Contracts, Channels>, 'contracts' | 'channels'> {
  contracts: Readonly<Record<string, ServedEndpoints>>
  channels: ServedChannels
}

/** Declares an extra. `add` throws an HttpError to refuse the whole post or message. */
export const extra = <S extends v.GenericSchema>(
  kinds: Extra['kinds'],
  schema: S,
  add: (context: MemberContext, tx: Tx, written: Written, value: v.InferOutput<S>) => Promise<unknown>,
): Extra => ({ kinds, schema, add })

/** Whether the pages and endpoints of a feature exist. Admins switch the sample features on and off. */
export const isFeatureOn = ({ isDemo }: FeatureModule, settings: AppContext['settings']) =>
  !isDemo || settings.current().show_samples

/** Resolves to whether the pages and endpoints of a feature exist for this member, or a visitor (null). */
export const isFeatureOnFor = async (feature: FeatureModule, context: AppContext, me: CurrentUser | null) =>
  isFeatureOn(feature, context.settings) && !(me && (await feature.isHiddenFrom?.(context, me.id)))

type None = Readonly<Record<never, never>>

export function defineFeature<const C extends Contracts = None, const Ch extends Channels = None>({
  contracts,
  channels,
  ...rest
}: ModuleDefinition<C, Ch>) {
  const pairs = Object.entries<readonly [Endpoints, EndpointSchemas]>(contracts ?? {})
  return {
    ...rest,
    contracts: Object.fromEntries(pairs.map(([name, pair]) => [name, joinEndpoints(...pair)])),
    channels: channels ? joinChannels(...channels) : {},
  } as unknown as FeatureModule
}

/**
 * Combines the job handlers of all modules for the job runner. They call `context` when a job runs, because
 * the services are complete only then.
 */
export const combineHandlers = (modules: readonly ModuleJobHandlers[], context: () => AppContext) =>
  Object.fromEntries(
    modules
      .flatMap((jobs) => Object.entries(jobs))
      .map(([kind, handle]) => [kind, (payload: never, job: RunningJob) => handle(payload, job, context())]),
  ) as Partial<JobHandlers>
