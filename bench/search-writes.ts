import { cookies, encode, load, once } from './client.ts'
import type { Copy, Store } from './copies.ts'
import { cpuTime, startWorker } from './processes.ts'
import { inTurns, type Report, type Settings } from './report.ts'
import { vocabulary, writer } from './search-texts.ts'

const CONNECTIONS = 16
/** Each of these members writes messages to the next one. */
const [FIRST, WRITERS] = [5, 20]
/** Before the measurement, because Node compiles code that runs often. */
const WARM = 1000
const AIM = { most: 1.3 }

const kinds = {
  message: {
    what: 'POST private message',
    status: 200,
    path: '/api/send-private-message',
    body: (text: string, member: number) => ({ input: text, targetUserId: member + 1 }),
  },
  post: { what: 'POST post', status: 201, path: '/api/posts', body: (text: string) => ({ text }) },
}

type Place = Pick<Copy, 'folder' | 'url'>
interface Sides {
  ours: Place
  /** Without the triggers of the index; its server has no feature search. */
  bare: Place
  store: Store
}

/** Messages and posts through the API of a server with the index, beside one without it. */
export async function measureWrites(report: Report, settings: Settings, { ours, bare, store }: Sides) {
  const texts = Array.from({ length: 2000 }, writer(vocabulary(), 41, 5))
  const sides = [await open(ours, 'with'), await open(bare, 'without')]
  for (const { what, status, path, body } of Object.values(kinds)) {
    const write = async (side: Side, count: number) => {
      const requests = Array.from({ length: count }, () => {
        const n = side.sent++
        const text = texts[n % texts.length]!
        return encode('POST', path, { who: side.who[n % WRITERS]!, body: body(text, FIRST + (n % WRITERS)) })
      })
      return (await load(side.port, { connections: CONNECTIONS, next: once(requests), status })).perSecond
    }
    const warm = Math.ceil(WARM * Math.min(1, settings.scale * 10))
    let slowest = Number.POSITIVE_INFINITY
    for (const side of sides) slowest = Math.min(slowest, await write(side, warm))
    const count = Math.ceil(slowest * settings.seconds * 2)
    const found = await inTurns(settings.rounds, sides, async (side) => {
      const [server, database] = [cpuTime(side.pid), store.cpuTime()]
      const perSecond = await write(side, count)
      const processor = cpuTime(side.pid) - server + store.cpuTime() - database
      return { elapsed: 1e6 / perSecond, processor: (processor * 1000) / count }
    })
    const [indexed, plain] = found as [(typeof found)[number], (typeof found)[number]]
    const beside = { beside: 'without the index', unit: 'µs', aim: AIM }
    report.add({ what, ours: indexed.elapsed, theirs: plain.elapsed, ...beside })
    report.add({ what: '  processor', ours: indexed.processor, theirs: plain.processor, ...beside })
  }
  for (const side of sides) await side.stop()
}

async function open({ folder, url }: Place, search: 'with' | 'without') {
  const worker = await startWorker('search-server.ts', folder, url ?? '', search)
  const port = worker.first as number
  const ids = Array.from({ length: WRITERS }, (_, n) => FIRST + n)
  const who = await Promise.all(ids.map((id) => cookies(`http://127.0.0.1:${port}`, id)))
  return { ...worker, port, who, sent: 0 }
}
type Side = Awaited<ReturnType<typeof open>>
