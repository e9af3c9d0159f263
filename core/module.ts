import type { ContactRules } from '#core/contacts.ts'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type {
  AddedPageSection,
  Endpoint,
  FeatureEndpointsByName,
  PageDefinition,
  RealtimeChannelDefinitions,
} from '#core/contract.ts'
import type { MigrationsByName } from '#core/database/database.ts'
import type { DataExportSection } from '#core/exports.ts'
import type { GroupMembershipQueryBuilders } from '#core/groups.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { JobPayloads } from '#core/jobs/jobs.ts'
import type { JobHandlers, RunningJobIdAndAbortSignal } from '#core/jobs/runner.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import type { PostHasOpenReportSqlConditionBuilders } from '#core/open-reports.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import type { PresencePeerReader } from '#core/realtime/presence-peers.ts'
import type { FeatureRetentionFunctions } from '#core/retention.ts'
import type {
  CountMemberContentByResponseField,
  FeatureStatisticsFunctions,
  MemberFileKindAndSizeQueryBuilder,
} from '#core/statistics.ts'

type Contracts = Readonly<Record<string, FeatureEndpointsByName>>

/**
 * The handlers of a module's jobs, by kind. Each handler gets the services (AppContext) as its last
 * argument.
 */
export type ModuleJobHandlers = {
  readonly [Kind in keyof JobPayloads]?: (
    payload: JobPayloads[Kind],
    job: RunningJobIdAndAbortSignal,
    context: AppContext,
  ) => Promise<unknown>
}

/** A call of an endpoint whose response is in the HTML of a page, so that the browser does not request it. */
export interface InlinedEndpointCall {
  endpoint: Endpoint
  input: Readonly<Record<string, unknown>>
}

/**
 * The parts that a feature registers with the app. The types `C` and `Ch` ensure that `routes` and `guards`
 * fit the contracts and channels.
 */
interface ModuleDefinition<C extends Contracts, Ch extends RealtimeChannelDefinitions> {
  /** The name of the feature's folder. */
  name: string
  /** The feature's own pages, from its pages.ts, which the browser reads too. */
  pages?: readonly PageDefinition[]
  /**
   * Sections that the feature adds to pages of other features, from its page-sections.ts, which the browser
   * reads too.
   */
  sectionsAddedToOtherPages?: readonly AddedPageSection[]
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
  ) => readonly InlinedEndpointCall[]
  /**
   * The members' files of one kind that the feature stores, with a query for their sizes, for the admins'
   * list of what takes space.
   */
  storedFiles?: MemberFileKindAndSizeQueryBuilder
  /** The functions that return the feature's numbers for the admin dashboard. */
  statistics?: FeatureStatisticsFunctions
  /** The feature's part of the archive of a member's data. */
  exportSection?: DataExportSection
  /** Counts what a member has written. The member sees the numbers before the deletion of the account. */
  countContent?: CountMemberContentByResponseField
  /** Counts and removes old messages or pictures, if the community does not keep them for ever. */
  retention?: FeatureRetentionFunctions
  /** Whether DEMO=off leaves the feature out, and the setting `show_samples` switches it on and off. */
  isDemo?: true
  /**
   * Resolves to whether the feature's pages and endpoints do not exist for this member. Its channels, also
   * public ones, have guards for that.
   */
  isHiddenFrom?: (context: AppContext, me: number) => Promise<boolean>
  migrations?: MigrationsByName
  contracts?: C
  /**
   * Returns the handlers of the endpoints in `contracts`. `running` has the modules of all features that run.
   */
  routes?: (
    context: AppContext,
    running: readonly FeatureModule[],
  ) => { [K in keyof C]: EndpointHandlers<C[K]> }
  channels?: Ch
  /**
   * Functions that decide who may subscribe to the channels that are not public, and which members may not
   * subscribe to a public one.
   */
  guards?: (context: AppContext) => ChannelGuards<Ch>
  /**
   * Creates the function that lists the people whose presence a member sees while very many members are
   * online. At most one feature provides this function.
   */
  createPresencePeerReader?: (context: AppContext) => PresencePeerReader
  /**
   * Functions that decide who may see a picture or file, by the name that the feature passes to
   * `markPictureAttached` or `markNonPictureFileAttached`.
   */
  mediaGuards?: (context: AppContext) => MediaReadGuardsByName
  /**
   * Queries for the groups of members. Features before this one in `featureModules` cannot import this
   * feature, so they use `context.groups`. At most one feature has groups.
   */
  groupMemberships?: GroupMembershipQueryBuilders
  /**
   * Creates the rules for contact between members, which earlier features call. At most one feature provides
   * such rules.
   */
  createContactRules?: (context: () => AppContext) => ContactRules
  /**
   * The functions that build SQL conditions about what members have reported, for earlier features. At most
   * one feature provides them.
   */
  openReports?: PostHasOpenReportSqlConditionBuilders
  /** Functions that run when a feature before this one in `featureModules` announces an event. */
  listeners?: DomainEventListeners
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
export type FeatureModule = ModuleDefinition<Contracts, RealtimeChannelDefinitions>

/** Whether the pages and endpoints of a feature exist. Admins switch the sample features on and off. */
export const isFeatureOn = ({ isDemo }: FeatureModule, settings: AppContext['settings']) =>
  !isDemo || settings.current().show_samples

/** Resolves to whether the pages and endpoints of a feature exist for this member, or a visitor (null). */
export const isFeatureOnFor = async (feature: FeatureModule, context: AppContext, me: CurrentUser | null) =>
  isFeatureOn(feature, context.settings) && !(me && (await feature.isHiddenFrom?.(context, me.id)))

type None = Readonly<Record<never, never>>

export const defineFeatureModule = <
  const C extends Contracts = None,
  const Ch extends RealtimeChannelDefinitions = None,
>(
  definition: ModuleDefinition<C, Ch>,
) => definition as unknown as FeatureModule

/**
 * Combines the job handlers of all modules for the job runner. They call `context` when a job runs, because
 * the services are complete only then.
 */
export const combineModuleJobHandlers = (modules: readonly ModuleJobHandlers[], context: () => AppContext) =>
  Object.fromEntries(
    modules
      .flatMap((jobs) => Object.entries(jobs))
      .map(([kind, handle]) => [
        kind,
        (payload: never, job: RunningJobIdAndAbortSignal) => handle(payload, job, context()),
      ]),
  ) as Partial<JobHandlers>
