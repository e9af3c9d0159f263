import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp } from '#tests/harness.ts'
import { storeEvent } from '../event-storage.ts'

describe.runIf(inject('postgres'))('two transactions that store events of one notification at once', () => {
  async function open({ muted = false } = {}) {
    const { context, members } = await createTestApp({ dialect: 'postgres' })
    const { Ann, Ben, Cleo } = await members('Ann', 'Ben', 'Cleo')
    const write = <T>(work: (tx: Tx) => Promise<T>) => transaction(context.db, work)
    const store = (tx: Tx, actor: number) =>
      storeEvent(
        tx,
        { user: Ann.id, kind: 'follow', subject: 0, actor },
        { isMuted: muted && actor === Cleo.id },
      )
    /** Returns the number of statements that wait for a lock of another transaction. */
    const countWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db)
      return rows.length
    }
    /** Stores an event of Cleo while a transaction that has done `work` is open, which `end` then ends. */
    async function storeBeside(work: (tx: Tx) => Promise<unknown>, end: () => void = () => {}) {
      const [worked, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const first = write(async (tx) => {
        await work(tx)
        worked.resolve()
        await waiting.promise
        end()
      })
      await worked.promise
      const second = write((tx) => store(tx, Cleo.id))
      try {
        await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
      } finally {
        waiting.resolve()
      }
      await Promise.allSettled([first])
      await second
    }
    const read = async () => {
      const notifications = await context.db.selectFrom('notifications').selectAll().execute()
      const events = await context.db.selectFrom('notification_events').selectAll().orderBy('id').execute()
      return { notifications, events: events.map(({ id, actor_id }) => ({ id, actor_id })) }
    }
    const forgetEvents = () => write((tx) => sql`delete from notification_events`.execute(tx))
    return { write, store, storeBeside, forgetEvents, read, Ben, Cleo }
  }
  const fail = () => {
    throw new Error('rolled back')
  }

  test.each([
    ['new', false],
    ['known', true],
  ])('keep both events of a %s notification, in the order of the commits', async (_, isKnown) => {
    const { write, store, storeBeside, forgetEvents, read, Ben, Cleo } = await open()
    if (isKnown) await write((tx) => store(tx, Ben.id)).then(forgetEvents)
    await storeBeside((tx) => store(tx, Ben.id))
    const { notifications, events } = await read()
    expect(events.map(({ actor_id }) => actor_id)).toEqual([Ben.id, Cleo.id])
    expect(notifications).toMatchObject([{ last_event_id: events[1]!.id, read_event_id: 0 }])
  })

  test.each([
    ['new', false],
    ['known', true],
  ])('store the second event of a %s notification if the first is rolled back', async (_, isKnown) => {
    const { write, store, storeBeside, read, Ben, Cleo } = await open()
    if (isKnown) await write((tx) => store(tx, Ben.id))
    await storeBeside((tx) => store(tx, Ben.id), fail)
    const { notifications, events } = await read()
    expect(events.map(({ actor_id }) => actor_id)).toEqual(isKnown ? [Ben.id, Cleo.id] : [Cleo.id])
    expect(notifications).toMatchObject([{ last_event_id: events.at(-1)!.id }])
  })

  test.each([
    ['new', false],
    ['known', true],
  ])('store the event of a muted person in a %s notification, but not as its newest', async (_, isKnown) => {
    const { write, store, storeBeside, forgetEvents, read, Ben, Cleo } = await open({ muted: true })
    if (isKnown) await write((tx) => store(tx, Ben.id)).then(forgetEvents)
    await storeBeside((tx) => store(tx, Ben.id))
    const { notifications, events } = await read()
    expect(events.map(({ actor_id }) => actor_id)).toEqual([Ben.id, Cleo.id])
    expect(notifications).toMatchObject([{ last_event_id: events[0]!.id }])
  })

  test('insert the notification again if the other transaction has deleted it', async () => {
    const { write, store, storeBeside, read, Ben, Cleo } = await open()
    await write((tx) => store(tx, Ben.id))
    await storeBeside((tx) => sql`delete from notifications`.execute(tx))
    const { notifications, events } = await read()
    expect(events.map(({ actor_id }) => actor_id)).toEqual([Cleo.id])
    expect(notifications).toMatchObject([{ last_event_id: events[0]!.id }])
  })
})
