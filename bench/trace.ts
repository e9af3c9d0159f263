import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { freshFolder } from '#tests/server.ts'

interface Happened {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds, by the clock and of the processor. */
  ts: number
  dur?: number
  tdur?: number
  args?: {
    name?: string
    data?: { type?: string; functionName?: string; url?: string; lineNumber?: number; columnNumber?: number }
  }
}
interface Task {
  /** Milliseconds of the processor. */
  ms: number
  /** The same by the clock, in which others on the machine had their turn too. */
  passed: number
  /** The work that took most of the time. */
  work: string
}

const categories = [
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'v8.execute',
  'blink.user_timing',
  '__metadata',
]

/** Does something on a page, and tells of the tasks of its own thread, longest first. */
export async function traced(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<Task[]> {
  const path = join(await freshFolder(), 'trace.json')
  await browser.startTracing(page, { categories, path })
  await work()
  await browser.stopTracing()
  const { traceEvents } = JSON.parse(await readFile(path, 'utf8')) as { traceEvents: Happened[] }
  const busiest = mainThread(traceEvents)
  return traceEvents
    .filter((event) => event.name === 'RunTask' && isOf(event, busiest))
    .map((task) => ({
      ms: (task.tdur ?? task.dur ?? 0) / 1000,
      passed: (task.dur ?? 0) / 1000,
      work: mostOf(task, traceEvents),
    }))
    .sort((a, b) => b.ms - a.ms)
}

const isOf = (a: Happened, b: Happened) => a.pid === b.pid && a.tid === b.tid

/** Other pages of the browser have such a thread too, and sleep. */
function mainThread(happened: readonly Happened[]) {
  const time = (thread: Happened) => happened.filter((event) => isOf(event, thread)).length
  return happened
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .sort((a, b) => time(b) - time(a))[0]!
}

/** Names of what a task did, with the milliseconds of the processor that each took by itself. */
function mostOf(task: Happened, happened: readonly Happened[]) {
  if ((task.tdur ?? 0) < 10_000) return ''
  const end = task.ts + task.dur!
  const within = happened
    .filter(
      (event) =>
        event.ph === 'X' && event !== task && isOf(event, task) && event.ts >= task.ts && event.ts < end,
    )
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const own = new Map<string, number>()
  const add = (name: string, time: number) => own.set(name, (own.get(name) ?? 0) + time)
  const open: Happened[] = []
  for (const event of within) {
    while (open.length && open.at(-1)!.ts + (open.at(-1)!.dur ?? 0) <= event.ts) open.pop()
    add(nameOf(event), event.tdur ?? 0)
    if (open.length) add(nameOf(open.at(-1)!), -(event.tdur ?? 0))
    open.push(event)
  }
  return [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([name, time]) => `${name} ${Math.round(time / 1000)}`)
    .join(', ')
}

const nameOf = ({ name, args }: Happened) => {
  const { type, functionName } = args?.data ?? {}
  return type || functionName ? `${name} ${type ?? functionName}` : name
}
