import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { community, missingRoom } from './community.ts'
import { type Dimension, grown } from './community-size.ts'
import { fanout } from './fanout.ts'
import { growth, hasRoom, steps } from './growth.ts'
import { hostile } from './hostile.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { openReport, type Report, type Settings } from './report.ts'
import { starts } from './start.ts'
import { writes } from './writes.ts'

// npm run bench -- [section …] measures one process beside other programs that do the same work, on the same
// machine in the same minutes.

const sections: Record<string, (report: Report, settings: Settings) => Promise<void>> = {
  lists: async (report, settings) => lists(report, await made(report, settings), settings),
  writes: async (report, settings) => writes(report, await made(report, settings), settings),
  fanout: async (report, settings) => fanout(report, await made(report, settings), settings),
  memory: async (report, settings) =>
    memory(report, await made(report, settings), await made(report, settings, 'members', 10)),
  start: async (report, settings) => starts(report, await made(report, settings)),
  hostile,
  growth: async (report, settings) => {
    for (const [dimension, factor] of steps(settings))
      if (hasRoom(report, dimension, factor))
        await growth(
          report,
          `${dimension} ×${factor}`,
          await made(report, settings),
          await made(report, settings, dimension, factor),
          settings,
        )
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.6' },
    most: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !(name in sections))
if (unknown) {
  console.error(`There is no section ${unknown}: take ${Object.keys(sections).join(', ')}.`)
  process.exit(1)
}
const settings: Settings = {
  rounds: values.quick ? 3 : Number(values.rounds),
  seconds: values.quick ? 0.3 : Number(values.seconds),
  scale: Number(values.scale),
  most: Number(values.most),
}

const missing = missingRoom(grown('all', settings.scale))
if (missing) {
  console.error(`There is no room for --scale ${values.scale}: ${missing}.`)
  process.exit(1)
}
const report = openReport()
const { members, posts, likes, messages, ...others } = grown('all', settings.scale)
const count = (n: number) => n.toLocaleString('en')
console.log(
  `${count(members)} members, ${count(posts)} posts, ${count(likes)} likes, ${count(messages)} messages.\n` +
    `Besides: ${count(others.occasional)} members who seldom post (“active”, with the others), ` +
    `${count(others.silent)} who posted once, years ago (“silent”), and ${count(others.never)} who never did.\n` +
    `${cpus().length} processors, ${cpus()[0]!.model.trim()}; ` +
    `${loadavg()[0]!.toFixed(1)} of them were busy when this began.`,
)
for (const name of positionals.length ? positionals : Object.keys(sections)) {
  report.section(name)
  await sections[name]!(report, settings)
}
if (values.json) report.write(values.json, { settings, node: process.version, at: new Date().toISOString() })

async function made(report: Report, { scale }: Settings, dimension: Dimension = 'all', factor = scale) {
  const start = performance.now()
  const found = await community(grown(dimension, factor))
  if (found.isNew)
    report.say(`Made a community in ${((performance.now() - start) / 1000).toFixed(0)} s: ${found.folder}`)
  return found
}
