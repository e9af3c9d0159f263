import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/** Milliseconds that a part may take to answer. */
const PATIENCE = 2000
/** Milliseconds that an answer is used again, so that frequent questions cost the parts nothing. */
const FRESH = 500

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve; a 503 names the parts that it cannot reach. Proxies read
 * this, and so may strangers: the answer does not say why a part is away.
 */
export function serveHealth(app: FastifyInstance, { db, realtime, redis }: AppContext, store: MediaStorage) {
  const parts: Record<string, () => Promise<unknown>> = {
    database: () => sql`select 1`.execute(db),
    pictures: () => store.check(),
    ...(redis && {
      redis: async () => {
        await redis.run('return 1', `${redis.name}:health`)
        if (!realtime.isConnected()) throw new Error('What is published does not come back')
      },
    }),
  }
  let asked: { at: number; answer: Promise<string[]> } | undefined
  const away = () => {
    if (!asked || performance.now() - asked.at > FRESH) asked = { at: performance.now(), answer: ask(parts) }
    return asked.answer
  }

  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const missing = await away()
    return missing.length
      ? reply.status(503).send({ message: `Not ready: ${missing.join(', ')}.` })
      : { status: 'ok' }
  })
}

/** Names of the parts that do not answer. */
async function ask(parts: Record<string, () => Promise<unknown>>) {
  const names = await Promise.all(
    Object.entries(parts).map(async ([name, part]) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(resolve, PATIENCE, name)
      })
      const answer = part().then(
        () => null,
        () => name,
      )
      return Promise.race([answer, late]).finally(() => clearTimeout(timer))
    }),
  )
  return names.filter((name) => name !== null)
}
