import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeNginxTestConfigAndReturnArgs } from '#tests/nginx.ts'
import { findNginxPath, findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { findFreePort, startTemporaryPostgres } from '#tests/services.ts'
import type { BenchCommunity } from './community.ts'
import {
  copyBenchCommunityToPostgres,
  createBenchLikeToggler,
  createPostgresCpuTimeReader,
  encodePostgresBenchRequestsOfCase,
  measurePostgresBenchRequestsForSeconds,
  type PostgresBenchCase,
  type PostgresBenchContestant,
  postgresBenchCases,
  warmUpPostgresBenchContestant,
} from './postgres.ts'
import { type BenchServer, killChildProcessOnExit, startBenchServer, stopChildProcess } from './processes.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'

/**
 * The target for the requests per second of three processes divided by those of one, if the machine has
 * processors for all.
 */
const AIM = { least: 2.5 }
/**
 * The target for the processor time of a request to three processes divided by that of a request to one.
 * Above 3, three processes on three processors would answer fewer requests than one.
 */
const COST_AIM = { most: 3 }
/** The number of processors that three processes, PostgreSQL, Redis, the proxy and the client need. */
const PROCESSORS = 8

/**
 * Engawa processes behind a proxy, which share a database and Redis. `url` and `port` are those of the proxy.
 */
interface ProxiedServers {
  url: string
  port: number
  servers: readonly BenchServer[]
  stop(): Promise<void>
}

/**
 * Measures three Engawa processes behind nginx, in turns with one process behind the same kind of proxy. Each
 * set of processes has its own copy of the community in PostgreSQL, and its own Redis. The proxy sends
 * requests to the processes in turn.
 */
export async function compareAndReportThreeProxiedProcessesWithOne(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
  processors: number,
) {
  const postgres = findNginxPath() && findRedisServerPath() && (await startTemporaryPostgres())
  if (!postgres) return report.note('Left out: this section needs PostgreSQL, Redis and nginx.')
  const readPostgresTime = await createPostgresCpuTimeReader(postgres.url)
  const three = await startProxiedServers(3, postgres.url, community)
  const one = await startProxiedServers(1, postgres.url, community)
  const hasProcessors = processors >= PROCESSORS
  if (!hasProcessors)
    report.note(`Requests per second have no aim here: three processes need ${PROCESSORS} processors.`)
  for (const benchCase of postgresBenchCases) {
    const contestants = [
      await toContestant(three, benchCase, community),
      await toContestant(one, benchCase, community),
    ]
    for (const contestant of contestants) await warmUpPostgresBenchContestant(contestant)
    for (const isLiked of [false, true]) {
      const [ours, theirs] = await measureMediansInTurns(settings.rounds, contestants, (contestant) =>
        measurePostgresBenchRequestsForSeconds(
          contestant,
          isLiked ? contestant.like : null,
          settings.seconds,
          readPostgresTime,
        ),
      )
      const what = `${benchCase.what}${isLiked ? ', during likes' : ''}, three processes`
      const comparedWith = 'one process'
      const speed = { ours: ours!.perSecond, theirs: theirs!.perSecond, comparedWith, unit: '/s' }
      report.add({ what, ...speed, ...(hasProcessors && { aim: AIM }) })
      const cost = { ours: ours!.micros, theirs: theirs!.micros, comparedWith, unit: 'µs' }
      report.add({ what: `${what}, processor`, ...cost, aim: COST_AIM })
      const shared = { ours: ours!.postgres, theirs: theirs!.postgres, comparedWith, unit: 'µs' }
      report.add({ what: `${what}, PostgreSQL`, ...shared })
    }
  }
  await Promise.all([three.stop(), one.stop()])
  await postgres.stop()
}

async function toContestant(
  { url, port, servers }: ProxiedServers,
  benchCase: PostgresBenchCase,
  { size }: BenchCommunity,
): Promise<PostgresBenchContestant> {
  return {
    port,
    pids: servers.map(({ pid }) => pid),
    requests: await encodePostgresBenchRequestsOfCase(url, benchCase),
    like: await createBenchLikeToggler(url, size.posts),
  }
}

/** Starts `count` Engawa processes on one copy of the community, and nginx in front of them. */
async function startProxiedServers(
  count: number,
  postgresUrl: string,
  community: BenchCommunity,
): Promise<ProxiedServers> {
  const redis = await startTemporaryRedis()
  const copy = await copyBenchCommunityToPostgres(postgresUrl, community)
  const servers: BenchServer[] = []
  for (let n = 0; n < count; n++)
    servers.push(await startBenchServer(copy.folder, { DATABASE_URL: copy.url, REDIS_URL: redis.url }))
  const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-nginx-'))
  const port = await findFreePort()
  const upstreams = servers.map((server) => `127.0.0.1:${server.port}`)
  const proxy = killChildProcessOnExit(
    spawn(findNginxPath()!, await writeNginxTestConfigAndReturnArgs(folder, port, upstreams), {
      stdio: 'ignore',
    }),
  )
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (proxy.exitCode !== null) throw new Error(`nginx ended with ${proxy.exitCode}`)
    await sleep(20)
  }
  return {
    ...{ url, port, servers },
    async stop() {
      await stopChildProcess(proxy)
      await Promise.all(servers.map((server) => server.stop()))
      await redis.stop()
      for (const used of [folder, copy.folder]) rmSync(used, { recursive: true, force: true })
    },
  }
}
