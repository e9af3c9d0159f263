import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { databases, readRows, type TestApp } from '#tests/harness.ts'
import { resume } from '../delivery.ts'
import {
  added,
  comes,
  inMinutes,
  listOf,
  passes,
  postsOf,
  reasonOf,
  runDue,
  scheduledScene,
  toldOf,
  tryPost,
} from './scheduled-scene.ts'

const waitingJobs = async ({ db }: Pick<TestApp, 'db'>) =>
  (await readRows(db, 'jobs')).filter(
    ({ kind, finished_at, failed_at }) => kind === 'send_scheduled' && !finished_at && !failed_at,
  )

describe.each(databases)('the job of what is sent later on %s', (dialect) => {
  test('is one for each, and none is left of what is changed, sent or removed', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben } = scene
    const ids = [await added(tryPost(Uma)), await added(tryPost(Uma)), await added(tryPost(Ben))]
    for (const minutes of [5, 10, 15])
      await Uma.put(`/api/scheduled/${ids[0]}`, { due_at: inMinutes(minutes) })
    expect(await waitingJobs(scene)).toHaveLength(3)
    await Uma.post(`/api/scheduled/${ids[0]}/send`)
    await Uma.delete(`/api/scheduled/${ids[1]}`)
    expect(await waitingJobs(scene)).toHaveLength(1)
    expect((await Ben.send('DELETE', '/api/account', { messages: 'keep' })).status).toBeLessThan(300)
    await runDeletions(scene)
    expect(await waitingJobs(scene)).toEqual([])
  })

  test('waits again if the clock was set back', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben } = scene
    await added(tryPost(Uma))
    await runDue(scene)
    expect([await postsOf(Ben), (await waitingJobs(scene)).map(({ attempts }) => attempts)]).toEqual([
      [],
      [0],
    ])
    await comes(scene)
    expect(await postsOf(Ben)).toHaveLength(1)
  })

  test('is tried again after a fault of the database', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben, db } = scene
    await added(tryPost(Uma))
    await passes(scene, 1)
    const connection = await db.getExecutor().provideConnection(async (one) => Object.getPrototypeOf(one))
    const execute = connection.executeQuery
    const spy = vi.spyOn(connection, 'executeQuery').mockImplementation(function (this: unknown, ...given) {
      if (/^select \* from "scheduled"/.test((given[0] as { sql: string }).sql))
        throw new Error('disk I/O error')
      return execute.apply(this, given)
    })
    await runDue(scene)
    expect(spy).toHaveBeenCalled()
    spy.mockRestore()
    expect(await listOf(Uma)).toMatchObject([{ text: 'See you at nine' }])
    await comes(scene)
    expect(await postsOf(Ben)).toHaveLength(1)
  })

  test('that was given up has another, until it is a day too late', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben, db, context } = scene
    const giveUp = () =>
      transaction(db, (tx) =>
        sql`update jobs set failed_at = ${isoNow()} where kind = 'send_scheduled'`.execute(tx),
      )
    await added(tryPost(Uma, { text: 'Breakfast' }))
    await giveUp()
    await resume(context)
    expect(await waitingJobs(scene)).toEqual([])
    await passes(scene, 23 * 60)
    for (let times = 0; times < 2; times++) await resume(context)
    await context.jobs.idle()
    expect((await postsOf(Ben)).map(({ body }) => body)).toEqual(['Breakfast'])
    const id = await added(tryPost(Uma))
    await giveUp()
    await passes(scene, 25 * 60)
    await resume(context)
    await context.jobs.idle()
    expect(await postsOf(Ben)).toHaveLength(1)
    expect([await reasonOf(Uma), await toldOf(Uma)]).toEqual([
      expect.stringMatching(/in the day after its time/),
      [1],
    ])
    await resume(context)
    expect(await waitingJobs(scene)).toEqual([])
    expect((await Uma.put(`/api/scheduled/${id}`, { due_at: inMinutes(5) })).status).toBe(200)
    await comes(scene)
    expect(await postsOf(Ben)).toHaveLength(2)
  })
})
