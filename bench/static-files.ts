import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FixedBareHttpResponse } from './bare-http.ts'
import {
  createSameBenchRequestFunctionForSeconds,
  encodeBenchHttpRequest,
  measureConcurrentHttpRequestsPerSecond,
} from './client.ts'
import { listHeadersNotAddedByNodeHttp } from './lists.ts'
import {
  type BenchServer,
  readCpuTimeOfProcess,
  repositoryRoot,
  startBenchServer,
  startBenchWorker,
} from './processes.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'

const CONNECTIONS = 16
/** The minimum ratio of Engawa's requests per second to those of node:http, as a target. */
const LEAST = 0.35
const headers = { 'accept-encoding': 'gzip, deflate, br' }

interface StaticFileCase {
  what: string
  path: string
  /** The status that the response must have: 304 if the request carries the ETag of the file. */
  status: 200 | 304
}

/** Measures requests for static files, in turns with a node:http server that answers with the same bytes. */
export async function compareAndReportStaticFilesWithBareHttp(
  report: BenchReportPrinter,
  { rounds, seconds }: BenchSettings,
) {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-bench-static-'))
  const server = await startBenchServer(folder)
  const bare = await startBenchWorker('bare-http.ts')
  for (const { what, path, status } of listStaticFileCases()) {
    const { request, response } = await prepareStaticFileRequest(server, path, status)
    await bare.ask(response)
    const expected = { status, length: response.body.length }
    const racers = [
      { ...server, request },
      {
        port: bare.first as number,
        pid: bare.pid,
        request: encodeBenchHttpRequest('GET', '/buffer', { headers }),
      },
    ]
    const measure = async (racer: (typeof racers)[number]) => {
      const before = readCpuTimeOfProcess(racer.pid)
      const { requests, perSecond } = await measureConcurrentHttpRequestsPerSecond(racer.port, {
        connections: CONNECTIONS,
        next: createSameBenchRequestFunctionForSeconds(seconds, racer.request),
        ...expected,
      })
      return { perSecond, micros: ((readCpuTimeOfProcess(racer.pid) - before) * 1000) / requests }
    }
    // Measures each server once without counting the result.
    for (const racer of racers) await measure(racer)
    const [ours, theirs] = await measureMediansInTurns(rounds, racers, measure)
    const compared = { comparedWith: 'node:http, the same bytes' }
    report.add({
      ...{ what, ours: ours!.perSecond, theirs: theirs!.perSecond, unit: '/s', aim: { least: LEAST } },
      ...compared,
    })
    report.add({
      ...{ what: `${what}, processor`, ours: ours!.micros, theirs: theirs!.micros, unit: 'µs' },
      ...compared,
    })
  }
  await bare.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

function listStaticFileCases(): StaticFileCase[] {
  const folder = join(repositoryRoot, 'dist', 'assets')
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.js.br'))
    .map((name) => ({ path: `/assets/${name.slice(0, -3)}`, bytes: statSync(join(folder, name)).size }))
    // Leaves out larger files, because few members load their code, and the server does not keep them in
    // memory.
    .filter(({ bytes }) => bytes < 200_000)
    .sort((a, b) => a.bytes - b.bytes)
  const nameOf = ({ bytes }: { bytes: number }) => `a script of ${(bytes / 1000).toFixed(1)} kB`
  const middle = scripts[scripts.length >> 1]!
  const largest = scripts.at(-1)!
  return [
    { what: nameOf(middle), path: middle.path, status: 200 },
    { what: nameOf(largest), path: largest.path, status: 200 },
    { what: 'service worker, not modified', path: '/service-worker.js', status: 304 },
  ]
}

/** Requests a static file. Returns the bytes of the request to repeat, and the response to it. */
async function prepareStaticFileRequest({ url }: BenchServer, path: string, status: 200 | 304) {
  const { headers: first } = await fetchStaticFile(url + path)
  const condition = status === 304 && first.etag ? { 'if-none-match': first.etag } : undefined
  const answer = await fetchStaticFile(url + path, condition)
  const body = await buffer(answer)
  if (answer.statusCode !== status) throw new Error(`GET ${path} is answered with ${answer.statusCode}`)
  const response: FixedBareHttpResponse = { status, headers: listHeadersNotAddedByNodeHttp(answer), body }
  return { request: encodeBenchHttpRequest('GET', path, { headers: { ...headers, ...condition } }), response }
}

const fetchStaticFile = (url: string, condition?: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { ...headers, ...condition } }, resolve).on('error', reject)
  })
