import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** In µs: the start and the duration by the clock, and the processor time. */
  ts: number
  dur?: number
  tdur?: number
  args?: {
    name?: string
    data?: { type?: string; functionName?: string; url?: string; lineNumber?: number; columnNumber?: number }
    /** The report of the compositor about one frame. */
    frame_reporter?: { state: string; has_missing_content: boolean; frame_sequence: number }
  }
}
interface Task {
  /** Processor time. */
  ms: number
  /** By the clock, in ms, with the time in which other processes ran. */
  passed: number
  /** The parts that took most of the time; empty for a short task. */
  work: string
}

/** The frames that the browser showed of a page. */
interface Frames {
  shown: number
  /** Frames with a blank part, which the browser had not drawn in time. */
  incomplete: number
}

const categories = [
  'cc',
  'benchmark',
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'v8.execute',
  'blink.user_timing',
  '__metadata',
]

/** Returns the tasks of the page's main thread during the work, the longest first. */
export async function traceTasks(
  browser: Browser,
  page: Page,
  folder: string,
  work: () => Promise<unknown>,
): Promise<{ tasks: Task[]; frames: Frames }> {
  const path = join(folder, 'trace.json')
  await browser.startTracing(page, { categories, path })
  await work()
  await browser.stopTracing()
  const { traceEvents } = JSON.parse(await readFile(path, 'utf8')) as { traceEvents: TraceEvent[] }
  await rm(path)
  const tasks = listTasks(eventsOfMainThread(traceEvents)).sort((a, b) => b.ms - a.ms)
  return { tasks, frames: countFrames(traceEvents) }
}

function countFrames(happened: readonly TraceEvent[]): Frames {
  // The compositor can report a frame twice: without the changes of the main thread, and with them.
  const isComplete = new Map<number, boolean>()
  for (const { args } of happened) {
    const report = args?.frame_reporter
    if (!report?.state.startsWith('STATE_PRESENTED')) continue
    const { frame_sequence, has_missing_content } = report
    isComplete.set(frame_sequence, !has_missing_content && (isComplete.get(frame_sequence) ?? true))
  }
  return { shown: isComplete.size, incomplete: [...isComplete.values()].filter((is) => !is).length }
}

/** In the order of their start. The page's main thread is the one with the most events; others are idle. */
function eventsOfMainThread(happened: readonly TraceEvent[]) {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const threads = Map.groupBy(happened, threadOf)
  const mainThreads = happened
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map((event) => threads.get(threadOf(event))!)
    .sort((a, b) => b.length - a.length)
  return mainThreads[0]!
    .filter(({ ph }) => ph === 'X')
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
}

/** How many parts the description of a task names at most. */
const PARTS = 4
/** A task without a description, in ms. */
const SHORT = 10

/**
 * In one pass, because a long trace has millions of events. An event that begins before another one ends is a
 * part of it, so its time is subtracted from that of the event around it.
 */
function listTasks(events: readonly TraceEvent[]) {
  const tasks: { event: TraceEvent; own: Map<string, number> }[] = []
  const open: TraceEvent[] = []
  for (const event of events) {
    while (open.length && open.at(-1)!.ts + (open.at(-1)!.dur ?? 0) <= event.ts) open.pop()
    if (!open.length && event.name === 'RunTask') tasks.push({ event, own: new Map() })
    const own = tasks.at(-1)?.own
    if (open.length && own) {
      const add = (name: string, time: number) => own.set(name, (own.get(name) ?? 0) + time)
      add(nameOf(event), event.tdur ?? 0)
      if (open.length > 1) add(nameOf(open.at(-1)!), -(event.tdur ?? 0))
    }
    open.push(event)
  }
  return tasks.map(({ event, own }): Task => {
    const ms = (event.tdur ?? event.dur ?? 0) / 1000
    return { ms, passed: (event.dur ?? 0) / 1000, work: ms < SHORT ? '' : describeParts(own) }
  })
}

const describeParts = (own: ReadonlyMap<string, number>) =>
  [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, PARTS)
    .map(([name, time]) => `${name} ${Math.round(time / 1000)}`)
    .join(', ')

const nameOf = ({ name, args }: TraceEvent) => {
  const { type, functionName } = args?.data ?? {}
  return type || functionName ? `${name} ${type ?? functionName}` : name
}
