import { expect, onTestFinished, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import { createJobTurns, JOBS_WITH_TURNS } from '#core/jobs/turns.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** A job of these tests, which a member waits for at a host. */
    visit: { member: number; host: string; name: string }
  }
}

test.each(dialectsInTurn())(
  'members take turns, and what a process does not keep is postponed without an attempt, on %s',
  async (dialect) => {
    const { db, context } = await createTestApp({ dialect })
    const turns = createJobTurns({ concurrency: 4, perMember: 2, perHost: 1, keptPerHost: 3 })
    const begun: string[] = []
    const ends: (() => void)[] = []
    const visit = (
      { name, ...owner }: { member: number; host: string; name: string },
      job: { signal: AbortSignal },
    ) =>
      turns.run(
        owner,
        () => {
          begun.push(name)
          return new Promise<void>((resolve) => ends.push(resolve))
        },
        job.signal,
      )
    const runner = startJobRunner({
      ...{ db, log: context.log, handlers: { visit }, retryDelays: [60_000], concurrency: JOBS_WITH_TURNS },
    })
    onTestFinished(async () => {
      for (const end of ends) end()
      await runner.close()
    })
    const add = (...list: { member: number; host: string; name: string }[]) =>
      transaction(db, async (tx) => {
        for (const payload of list) await enqueueJob(tx, 'visit', payload)
      })
    const postponed = async () =>
      (await readRows(db, 'jobs')).filter(
        ({ kind, finished_at, leased_by }) => kind === 'visit' && finished_at === null && leased_by === null,
      )
    await add(...Array.from({ length: 12 }, (_, n) => ({ member: 1, host: `h${n}`, name: `crowd ${n}` })))
    await eventually(async () =>
      expect((await postponed()).map(({ attempts, last_error }) => [attempts, last_error])).toEqual(
        Array(4).fill([0, null]),
      ),
    )
    await add(
      { member: 2, host: 'slow', name: 'ann' },
      { member: 3, host: 'slow', name: 'ben' },
      { member: 4, host: 'slow', name: 'cem' },
      { member: 5, host: 'well', name: 'dan' },
    )
    await eventually(() => expect(begun).toEqual(['crowd 0', 'crowd 1', 'ann', 'dan']))
    ends[2]!()
    await eventually(() => expect(begun[4]).toBe('ben'))
    ends[0]!()
    await eventually(() => expect(begun).toHaveLength(6))
    expect(begun[5]).toBe('crowd 2')
  },
)
