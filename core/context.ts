import type { FastifyBaseLogger } from 'fastify'
import type { SettingsStore } from '#core/community/settings.ts'
import type { Config } from '#core/config.ts'
import type { CacheFactory } from '#core/database/cache.ts'
import type { Db } from '#core/database/database.ts'
import type { Emit } from '#core/feature/events.ts'
import type { Extra } from '#core/feature/extras.ts'
import type { Provided } from '#core/feature/provided.ts'
import type { Disk } from '#core/health/disk.ts'
import type { Connector } from '#core/http/public-network.ts'
import type { JobRunner } from '#core/jobs/runner.ts'
import type { MediaService } from '#core/media/media.ts'
import type { FolderStorage, S3Storage } from '#core/media/storage.ts'
import type { RunWithLock } from '#core/process/locks.ts'
import type { Redis } from '#core/process/redis.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'

/**
 * The services that handlers, listeners and jobs may use. `buildApp` builds them once, in
 * dependency order.
 */
export interface AppContext extends Provided {
  config: Config
  log: FastifyBaseLogger
  db: Db
  /**
   * Creates caches of query results, which are emptied when a table that they depend on changes. On
   * PostgreSQL without Redis they keep no results.
   */
  queryCaches: CacheFactory
  /**
   * The connection to Redis, by which the processes of one community work together; null if REDIS_URL is not
   * set.
   */
  redis: Redis | null
  realtime: RealtimeServer
  settings: SettingsStore
  emit: Emit
  /** What features can add to posts and messages, by name: see `addExtras`. */
  extras: ReadonlyMap<string, Extra>
  /**
   * Runs a task while it holds the lock of a key, so that tasks with the same key run one after the other in
   * all processes.
   */
  withLock: RunWithLock
  media: MediaService
  disk: Disk
  /** The functions by which the server connects to other servers whose addresses members write. */
  publicNetwork: Connector
  /**
   * The storage of the files of pictures. If it is an S3 bucket, the archives of members' data are also in
   * it.
   */
  storage: FolderStorage | S3Storage
  jobs: JobRunner
  /**
   * The address, the name and the accent colour of the site, for mails, pages and links. The port is known
   * only after the server has started to listen, and admins can change the name and the colour.
   */
  publicSite: { origin: string; readonly name: string; readonly accent_colour: string | null }
}

export interface CurrentUser {
  id: number
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
export const withoutRoles = (context: AppContext, id: number): MemberContext => ({
  ...context,
  me: { id, is_admin: false, is_moderator: false, needs_second_step: false },
})
