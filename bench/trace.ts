import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createServerTemporaryFolder } from '#tests/server.ts'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /**
   * The times of the event in microseconds: `ts` is its start and `dur` its duration by the clock; `tdur` is
   * the processor time that it took.
   */
  ts: number
  dur?: number
  tdur?: number
  args?: {
    name?: string
    data?: { type?: string; functionName?: string; url?: string; lineNumber?: number; columnNumber?: number }
  }
}
interface Task {
  /** The processor time that the task took, in milliseconds. */
  ms: number
  /**
   * The duration of the task by the clock, in milliseconds. It includes the time in which other processes
   * ran.
   */
  passed: number
  /** The parts of the task that took most of the processor time; empty for a task of less than 10 ms. */
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

/**
 * Runs `work` on a page, and returns all tasks of the page's main thread, those with the most processor time
 * first.
 */
export async function traceMainThreadTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<Task[]> {
  const path = join(await createServerTemporaryFolder(), 'trace.json')
  await browser.startTracing(page, { categories, path })
  await work()
  await browser.stopTracing()
  const { traceEvents } = JSON.parse(await readFile(path, 'utf8')) as { traceEvents: TraceEvent[] }
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

const isOf = (a: TraceEvent, b: TraceEvent) => a.pid === b.pid && a.tid === b.tid

/**
 * Returns the main thread of the page, which is the one with the most events: the browser's other pages are
 * idle.
 */
function mainThread(happened: readonly TraceEvent[]) {
  const time = (thread: TraceEvent) => happened.filter((event) => isOf(event, thread)).length
  return happened
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .sort((a, b) => time(b) - time(a))[0]!
}

/**
 * Returns the names of the parts of a task that took most of the processor time, with the milliseconds that
 * each took by itself.
 */
function mostOf(task: TraceEvent, happened: readonly TraceEvent[]) {
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
  const open: TraceEvent[] = []
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

const nameOf = ({ name, args }: TraceEvent) => {
  const { type, functionName } = args?.data ?? {}
  return type || functionName ? `${name} ${type ?? functionName}` : name
}
