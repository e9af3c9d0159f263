import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#core/context.ts'
import type { OpenedDatabase } from '#core/database/database.ts'
import type { CacheCounts } from '#core/database/table-versions.ts'
import { httpErrors } from '#core/http/errors.ts'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import { communityGauges, createFigureReader } from './community-metrics.ts'

/** Functions that return the length of a queue, by the name of the queue. */
export type QueueLengths = Readonly<Record<string, () => number>>

/**
 * Serves `/metrics` in the format of Prometheus
 * (https://prometheus.io/docs/instrumenting/exposition_formats/), for clients with METRICS_TOKEN as bearer
 * token. Without METRICS_TOKEN the route does not exist, and requests are not counted. The metrics have the
 * four golden signals: duration of requests, their number, failures, and how full the process is. Times are
 * in seconds, sizes in bytes.
 */
export async function serveMetrics(
  app: FastifyInstance,
  { db, config, realtime }: AppContext,
  { connectionCounts }: OpenedDatabase,
  { queues, countMembers }: { queues: QueueLengths; countMembers: () => Promise<number> },
  cacheCounts?: CacheCounts,
) {
  const { METRICS_TOKEN } = config
  if (METRICS_TOKEN === undefined) return
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read())
      },
    })

  const requests = new Histogram({
    name: 'engawa_http_request_duration_seconds',
    help: 'Requests by their route and status, and how long they took',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  })
  let underWay = 0
  app.addHook('onRequest', (_, reply, next) => {
    underWay++
    // Counts the end of a request at the event `close`, because the hook onResponse does not run if the
    // client disconnects.
    reply.raw.once('close', () => underWay--)
    next()
  })
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    requests.observe(
      { method, route: routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  gauge('engawa_http_requests_under_way', 'Requests that are not answered yet', () => underWay)

  gauge('engawa_live_sockets', 'WebSockets that are open', () => realtime.stats().connections)
  gauge('engawa_live_channels', 'Channels that somebody is subscribed to', () => realtime.stats().channels)
  for (const [name, help] of [
    ['events', 'Events and client events that reached this process'],
    ['deliveries', 'Messages that were written to sockets'],
    ['dropped', 'Sockets that were closed because they read too slowly'],
  ] as const)
    new Counter({
      name: `engawa_live_${name}_total`,
      help,
      registers: [register],
      collect() {
        this.reset()
        this.inc(realtime.stats()[name])
      },
    })
  gauge(
    'engawa_processes',
    'Processes of this community that hear each other',
    () => realtime.stats().processes,
  )

  new Gauge({
    name: 'engawa_queue_depth',
    help: 'Works that wait: mails to be sent, pictures to be made, passwords to be hashed, queries to be given a connection',
    labelNames: ['queue'],
    registers: [register],
    async collect() {
      for (const [queue, depth] of Object.entries(queues)) this.set({ queue }, depth())
      this.set({ queue: 'mails' }, await countUnfinished(db, 'mail').catch(() => Number.NaN))
      if (connectionCounts) this.set({ queue: 'connections' }, connectionCounts().waiting)
    },
  })
  const readFigures = createFigureReader({ db, config }, countMembers)
  for (const [figure, [name, help]] of Object.entries(communityGauges))
    gauge(`engawa_${name}`, help, async () => (await readFigures())[figure as keyof typeof communityGauges])
  new Gauge({
    name: 'engawa_jobs',
    help: 'Jobs that wait or run, and jobs that were given up in the last seven days',
    labelNames: ['state'],
    registers: [register],
    async collect() {
      const { waiting, failed } = await readFigures()
      this.set({ state: 'waiting' }, waiting)
      this.set({ state: 'failed' }, failed)
    },
  })
  if (connectionCounts)
    gauge('engawa_database_connections', 'Connections to PostgreSQL', () => connectionCounts().open)
  if (cacheCounts)
    new Counter({
      name: 'engawa_query_cache_reads_total',
      help: 'Reads through caches of queries: from the cache, by a query, or without the cache as Redis did not answer',
      labelNames: ['result'],
      registers: [register],
      collect() {
        this.reset()
        for (const [result, count] of Object.entries(cacheCounts)) this.inc({ result }, count)
      },
    })

  app.get('/metrics', async (request, reply) => {
    if (!areSecretsEqual(request.headers.authorization ?? '', `Bearer ${METRICS_TOKEN}`))
      throw httpErrors.notFound()
    return reply.type(register.contentType).send(await register.metrics())
  })
}
