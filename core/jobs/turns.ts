import { createFairQueue } from '#core/process/fair-queue.ts'
import { JobPostponed } from './postponed.ts'

export interface Turn {
  member: number
  host: string
}

interface JobTurnsOptions {
  /** How many jobs work at the same time: in all, for one member, and with one host. */
  concurrency: number
  perMember: number
  perHost: number
  /** How many jobs with one host a process keeps, as MAX_KEPT says for a member. By default all. */
  keptPerHost?: number
}

/**
 * The number of jobs of one member that a process keeps, those that wait for a turn included. Further jobs
 * are postponed, so that they occupy no place of the job runner.
 */
const MAX_KEPT = 8
/** How long the first such job is postponed, and how much longer each next one, in ms. */
const POSTPONED = { first: 1000, next: 200 }

/** The number of jobs that a runner with turns takes at a time. Most of them wait, which costs nothing. */
export const JOBS_WITH_TURNS = 64

/**
 * Creates turns for the jobs of a runner that send requests to other servers, so that the slow servers of one
 * member do not delay the jobs of others: members take turns, and a bounded number of jobs of a member, and
 * with a host, work at the same time.
 */
export function createJobTurns({ concurrency, perMember, perHost, keptPerHost }: JobTurnsOptions) {
  const limits = { concurrency, perKey: perMember, perGroup: perHost, capacity: JOBS_WITH_TURNS }
  const queue = createFairQueue(limits)
  /** The jobs that this process keeps of a member or with a host, and until when the latest is postponed. */
  const kept = new Map<string, { count: number; postponedUntil: number }>()

  function keep(name: string, max: number) {
    const known = kept.get(name) ?? { count: 0, postponedUntil: 0 }
    if (known.count >= max) {
      const now = Date.now()
      known.postponedUntil = Math.max(now + POSTPONED.first, known.postponedUntil + POSTPONED.next)
      throw new JobPostponed(known.postponedUntil - now)
    }
    known.count++
    kept.set(name, known)
    return () => {
      if (!--known.count) kept.delete(name)
    }
  }

  return {
    /**
     * Runs `work` when it is the turn of its member. Throws JobPostponed if this process keeps too many jobs
     * of the member already.
     */
    async run<T>({ member, host }: Turn, work: () => Promise<T>, signal: AbortSignal) {
      const releaseHost = keep(`host ${host}`, keptPerHost ?? JOBS_WITH_TURNS)
      try {
        const releaseMember = keep(`member ${member}`, MAX_KEPT)
        return await queue.run(String(member), work, signal, host).finally(releaseMember)
      } finally {
        releaseHost()
      }
    },
  }
}
