import { type Community, missingRoom } from './community.ts'
import { type Dimension, dimensions, grown } from './community-size.ts'
import { answerOf, listsOf, race, warm } from './lists.ts'
import { idleMemory } from './memory.ts'
import { serve } from './processes.ts'
import { byTurns, FLAT, type Report, type Settings } from './report.ts'
import { ourStart } from './start.ts'
import { openWriting } from './writes.ts'

const MB = 2 ** 20
const START_TIMES = 5

/** Every dimension at ten times, and at a hundred where that is asked for. */
export const steps = ({ most }: Settings) =>
  [10, 100]
    .filter((factor) => factor <= most)
    .flatMap((factor) => dimensions.map((dimension): [Dimension, number] => [dimension, factor]))

/** A community that there is no room for is left out, and said to be. */
export function hasRoom(report: Report, dimension: Dimension, factor: number) {
  const missing = missingRoom(grown(dimension, factor))
  if (missing) report.say(`${dimension} ×${factor} is left out: ${missing}`)
  return missing === null
}

/** One community beside a larger one, measured by turns: each path at the size that grew, against itself. */
export async function growth(
  report: Report,
  what: string,
  small: Community,
  large: Community,
  settings: Settings,
) {
  const few = { ...settings, rounds: Math.min(settings.rounds, 3) }
  await ofLists(report, what, small, large, few)
  await ofWrites(report, what, small, large, few)
  const [before, after] = await byTurns(
    START_TIMES,
    [ourStart(small.folder), ourStart(large.folder)],
    (one) => one(),
  )
  report.add({
    what: `${what}: start`,
    ours: after!.ms,
    theirs: before!.ms,
    contestant: 'itself at ×1',
    unit: 'ms',
    aim: FLAT,
  })
  const [idle, more] = [await idleMemory(small), await idleMemory(large)]
  report.add({
    what: `${what}: idle memory`,
    ours: more / MB,
    theirs: idle / MB,
    contestant: 'itself at ×1',
    unit: 'MB',
    aim: FLAT,
  })
}

async function ofLists(report: Report, what: string, small: Community, large: Community, settings: Settings) {
  const servers = [await serve(large.folder), await serve(small.folder)]
  const [grownLists, lists] = await Promise.all([listsOf(servers[0]!, large), listsOf(servers[1]!, small)])
  for (const list of grownLists.slice(0, 3)) await warm(servers[0]!, list)
  for (const list of lists.slice(0, 3)) await warm(servers[1]!, list)
  for (const [n, list] of grownLists.entries()) {
    if (list.reader?.followed === 500) continue
    const both = await Promise.all(
      [list, lists[n]!].map(async (list, m) => {
        const { body } = await answerOf(servers[m]!, list)
        return { ...servers[m]!, list, path: list.path, length: body.length }
      }),
    )
    const [ours, theirs] = await race(both, settings)
    report.add({
      what: `${what}: ${list.what}, processor`,
      ours: ours!.micros,
      theirs: theirs!.micros,
      contestant: 'itself at ×1',
      unit: 'µs',
      aim: FLAT,
    })
  }
  for (const server of servers) await server.stop()
}

async function ofWrites(
  report: Report,
  what: string,
  small: Community,
  large: Community,
  settings: Settings,
) {
  const both = [await openWriting(large), await openWriting(small)]
  for (const table of ['likes', 'messages'] as const) {
    const count = Math.min(...(await Promise.all(both.map((one) => one.fitting(table, settings)))))
    const [ours, theirs] = await byTurns(settings.rounds, both, (one) =>
      one.write(table, one.take(table, count)),
    )
    const aim = { least: 1 / FLAT.most }
    report.add({
      what: `${what}: POST ${table.slice(0, -1)}`,
      ours: ours!.perSecond,
      theirs: theirs!.perSecond,
      contestant: 'itself at ×1',
      unit: '/s',
      aim,
    })
  }
  for (const one of both) {
    for (const line of one.wrong()) report.wrong(line)
    await one.stop()
  }
}
