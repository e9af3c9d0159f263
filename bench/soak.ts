import { setTimeout as sleep } from 'node:timers/promises'
import { findOrCreateBenchCommunity } from './community.ts'
import { scaleBaseBenchCommunitySize } from './community-size.ts'
import { type SoakRequestFailureAndSocketCounts, sendSoakLoadAndIncreaseCounts } from './soak-load.ts'
import {
  computeLeastSquaresSlope,
  readMemoryAndOpenFilesOfServer,
  type ServerMemoryAndFilesSample,
} from './soak-samples.ts'
import { startPostgresSoakServers, startSqliteSoakServer } from './soak-servers.ts'

// The command `npm run soak -- [minutes] [postgres]` sends a steady mixed load to one process on SQLite, or
// to three processes on PostgreSQL with Redis. At the end it prints for each process the growth of its memory
// per hour and of its open files, and the tables whose number of rows has changed.

const minutes = Number(process.argv[2] ?? 60)
const database = process.argv[3] ?? 'sqlite'
if (!(minutes > 0) || !['sqlite', 'postgres'].includes(database)) {
  console.error('npm run soak -- [minutes] [postgres] takes how long it lasts, such as 60.')
  process.exit(1)
}
/** The size of the community, as a factor of the smallest community that the bench measures. */
const SCALE = 0.1
const SAMPLE_INTERVAL = 5000
/** The number of lines with figures that are printed during the soak test. */
const LINES = 12
/**
 * The fraction of the soak test, at its beginning, whose samples are not counted, because the memory of a new
 * server always grows.
 */
const WARM_UP = 1 / 6
/** The milliseconds between the end of the load and the last sample, so that sockets and jobs can end. */
const REST = 60_000

const size = scaleBaseBenchCommunitySize('all', SCALE)
const community = await findOrCreateBenchCommunity(size)
const { servers, countRows, stop } =
  database === 'postgres' ? await startPostgresSoakServers(community) : await startSqliteSoakServer(community)
const samples = servers.map((): ServerMemoryAndFilesSample[] => [])
const counts: SoakRequestFailureAndSocketCounts = { requests: 0, failures: 0, sockets: 0 }
const rowsBefore = await countRows()
const start = performance.now()
const end = start + minutes * 60_000
const getHours = () => (performance.now() - start) / 3_600_000
const sampleAll = () =>
  Promise.all(servers.map((server) => readMemoryAndOpenFilesOfServer(server, getHours())))

async function sampleUntilEnd() {
  while (performance.now() < end) {
    for (const [index, sample] of (await sampleAll()).entries()) samples[index]!.push(sample)
    if (samples[0]!.length % Math.ceil((minutes * 60_000) / SAMPLE_INTERVAL / LINES) === 0) printSamples()
    await sleep(SAMPLE_INTERVAL)
  }
}

function printSamples() {
  const all = samples.map((list) => {
    const { resident, heap, files } = list.at(-1)!
    return `${resident.toFixed(0)} MB resident, ${heap.toFixed(1)} MB heap, ${files} files`
  })
  const { requests, sockets } = counts
  console.log(
    `${(getHours() * 60).toFixed(1)} min: ${all.join(' | ')}; ${requests} requests, ${sockets} sockets`,
  )
}

await Promise.all([
  sendSoakLoadAndIncreaseCounts(
    servers.map(({ url }) => url),
    size,
    end,
    counts,
  ),
  sampleUntilEnd(),
])
await sleep(REST)
const last = await sampleAll()
for (const [index, list] of samples.entries()) {
  const warm = list.filter(({ hours }) => hours > (minutes / 60) * WARM_UP)
  const rise = (name: 'resident' | 'heap') =>
    computeLeastSquaresSlope(warm.map((sample) => [sample.hours, sample[name]]))
  console.log(
    `process ${index + 1}: resident ${rise('resident').toFixed(1)} MB an hour, heap ${rise('heap').toFixed(1)} MB an hour, ` +
      `by ${warm.length} samples; open files ${list[0]!.files} at first, ${last[index]!.files} at the end`,
  )
}
for (const [table, count] of await countRows()) {
  const before = rowsBefore.get(table) ?? 0
  if (count !== before) console.log(`rows of ${table}: ${before} before, ${count} after`)
}
console.log(`${counts.requests} requests, ${counts.failures} of them failed; ${counts.sockets} sockets`)
await stop()
process.exitCode = counts.failures ? 1 : 0
