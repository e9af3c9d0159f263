import type { FastifyBaseLogger } from 'fastify'
import type { CommunitySettingsStore } from '#core/community-settings.ts'
import type { Config } from '#core/config.ts'
import type { ContactRules } from '#core/contacts.ts'
import type { QueryCacheFactory } from '#core/database/cache.ts'
import type { Db } from '#core/database/database.ts'
import type { EmitDomainEvent } from '#core/domain-events.ts'
import type { GroupMembershipQueryBuilders } from '#core/groups.ts'
import type { Disk } from '#core/health/disk.ts'
import type { JobRunner } from '#core/jobs/runner.ts'
import type { RunWithLock } from '#core/locks.ts'
import type { MediaService } from '#core/media/media.ts'
import type { FolderMediaStorage, S3MediaStorage } from '#core/media/storage.ts'
import type { PostHasOpenReportSqlConditionBuilders } from '#core/open-reports.ts'
import type { PublicInternetConnector } from '#core/public-network.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import type { Redis } from '#core/redis.ts'

/**
 * The services that handlers, listeners and jobs may use. `buildFastifyAppAndContext` builds them once, in
 * dependency order.
 */
export interface AppContext {
  config: Config
  log: FastifyBaseLogger
  db: Db
  /**
   * Creates caches of query results, which are emptied when a table that they depend on changes. On
   * PostgreSQL without Redis they keep no results.
   */
  queryCaches: QueryCacheFactory
  /**
   * The connection to Redis, by which the processes of one community work together; null if REDIS_URL is not
   * set.
   */
  redis: Redis | null
  realtime: RealtimeServer
  settings: CommunitySettingsStore
  /** Announces a domain event in a transaction, to the listeners of all modules. */
  emit: EmitDomainEvent
  /**
   * Runs a task while it holds the lock of a key, so that tasks with the same key run one after the other in
   * all processes.
   */
  withLock: RunWithLock
  media: MediaService
  /** The room on the disk of DATA_DIR. */
  disk: Disk
  /** The functions that build queries for the groups of members. */
  groups: GroupMembershipQueryBuilders
  /** The rules that decide which members may have contact in private chats, follows and groups. */
  contacts: ContactRules
  /** The functions that build SQL conditions about what members have reported. */
  openReports: PostHasOpenReportSqlConditionBuilders
  /** The functions by which the server connects to other servers whose addresses members write. */
  publicNetwork: PublicInternetConnector
  /**
   * The storage of the files of pictures. If it is an S3 bucket, the archives of members' data are also in
   * it.
   */
  storage: FolderMediaStorage | S3MediaStorage
  jobs: JobRunner
  /**
   * The address, the name and the accent colour of the site, for mails, pages and links. The port is known
   * only after the server has started to listen, and admins can change the name and the colour.
   */
  publicSite: { origin: string; readonly name: string; readonly accent_colour: string | null }
}

/** The member to whom a session belongs. */
export interface CurrentUser {
  id: number
  /** Whether the member has the rights of an admin now. */
  is_admin: boolean
  /** Whether the member has the rights of a moderator now. Admins have them too. */
  is_moderator: boolean
  /**
   * Whether the member is an admin or moderator without the second step of the log-in that the community
   * requires. Then `is_admin` and `is_moderator` are false until the member sets up the second step.
   */
  needs_second_step: boolean
}

/**
 * The services of the app, and the member in whose name a function works. The RequestContext of a member's
 * request is also a MemberContext.
 */
export interface MemberContext extends AppContext {
  me: CurrentUser
}

/**
 * Returns a context for a member who did not make the request, without the rights of admins and moderators.
 */
export const createMemberContextWithoutRoles = (context: AppContext, id: number): MemberContext => ({
  ...context,
  me: { id, is_admin: false, is_moderator: false, needs_second_step: false },
})
