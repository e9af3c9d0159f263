import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { QueryCaches } from '#core/database/cache.ts'
import type { Db } from '#core/database/database.ts'
import type { Emit } from '#core/events.ts'
import type { Jobs } from '#core/jobs/runner.ts'
import type { WithLock } from '#core/locks.ts'
import type { Media } from '#core/media/media.ts'
import type { Realtime } from '#core/realtime/server.ts'
import type { Redis } from '#core/redis.ts'

/**
 * The services that handlers, listeners and jobs may use. `buildApp` builds them once, in dependency order.
 */
export interface AppContext {
  config: Config
  log: FastifyBaseLogger
  db: Db
  /** Creates caches that are emptied when a table they depend on changes. */
  queryCaches: QueryCaches
  /** Joins the processes of one community; null where a single process runs. */
  redis: Redis | null
  realtime: Realtime
  /** Announces a domain event in a transaction, to the listeners of all modules. */
  emit: Emit
  /** Runs tasks with the same key one after the other, in all processes. */
  withLock: WithLock
  media: Media
  jobs: Jobs
  /** The address of the site, for links in mails. Its port is known only once the server listens. */
  site: { origin: string }
}

/** The member that a session belongs to. */
export interface CurrentUser {
  id: number
  is_admin: boolean
}

/** The services, and the member for whom a function writes. The context of a request by a member is one. */
export interface MemberContext extends AppContext {
  me: CurrentUser
}

/** The context of a member who did not make the request, without the rights of an admin. */
export const asMember = (context: AppContext, id: number): MemberContext => ({
  ...context,
  me: { id, is_admin: false },
})
