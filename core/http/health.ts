import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { createWriteCheck } from '#core/health/write-check.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/** The time in ms in which a service must answer a check. */
const CHECK_TIMEOUT = 2000
/**
 * The time in ms for which the result of a check is reused, so that frequent health checks cost the
 * services nothing.
 */
const CACHE_TIME = 500

/**
 * Serves `/healthz`, which says that the process is alive, and `/readyz`, which says whether it can answer
 * requests, and whether the database can be written to. A 503 of `/readyz` names the services that the
 * process cannot reach, but not the reason, because proxies and strangers can read it.
 */
export function serveHealth(app: FastifyInstance, { db, realtime, redis }: AppContext, store: MediaStorage) {
  const checkWrite = createWriteCheck(db)
  const checks: Record<string, () => Promise<unknown>> = {
    database: async () => {
      await sql`select 1`.execute(db)
      await checkWrite()
    },
    pictures: () => store.check(),
    ...(redis && {
      redis: async () => {
        await redis.runScript('return 1', `${redis.keyPrefix}:health`)
        if (!realtime.isConnected()) throw new Error('What is published does not come back')
      },
    }),
  }
  let cached: { at: number; answer: Promise<string[]> } | undefined
  const unavailableServices = () => {
    if (!cached || performance.now() - cached.at > CACHE_TIME)
      cached = { at: performance.now(), answer: findUnavailable(checks) }
    return cached.answer
  }

  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const missing = await unavailableServices()
    return missing.length
      ? reply.status(503).send({ message: `Not ready: ${missing.join(', ')}.` })
      : { status: 'ok' }
  })
}

async function findUnavailable(checks: Record<string, () => Promise<unknown>>) {
  const names = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(resolve, CHECK_TIMEOUT, name)
      })
      const answer = check().then(
        () => null,
        () => name,
      )
      return Promise.race([answer, late]).finally(() => clearTimeout(timer))
    }),
  )
  return names.filter((name) => name !== null)
}
