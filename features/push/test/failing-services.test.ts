import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { RetryLater } from '#core/jobs/runner.ts'
import { befriend, sendPrivate } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows } from '#tests/harness.ts'
import { startPushService } from '#tests/push-service.ts'
import { createSender } from '../pauses.ts'

vi.setConfig({ testTimeout: 60_000 })
afterEach(() => void vi.useRealTimers())
const HOUR = 3600_000
/**
 * The number of devices that the test adds. It is higher than the number of jobs of a member in a process.
 */
const DEVICES = 20

async function open(dialect: Dialect) {
  const service = await startPushService()
  const env = { PUSH_LOCAL_SERVICE: service.origin }
  const app = await createTestApp({ dialect, env, jobRetryDelays: [HOUR] })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  for (const who of [people.Ben, people.Cleo]) await befriend(people.Ann, who)
  /**
   * Adds devices to a member, each in a session of its own. Returns the paths of their push URLs at the push
   * service.
   */
  const addDevices = async (user_id: number, count: number) => {
    const browsers = Array.from({ length: count }, () => service.createBrowser())
    const now = isoNow()
    await transaction(app.db, async (tx) => {
      for (const { subscription } of browsers) {
        const session_hash = randomUUID()
        const session = { token_hash: session_hash, user_id, created_at: now, refreshed_at: now }
        await tx.insertInto('sessions').values(session).execute()
        const { endpoint, keys } = subscription
        const device = { user_id, session_hash, endpoint, ...keys, created_at: now, last_sent_at: null }
        await tx.insertInto('push_subscriptions').values(device).execute()
      }
    })
    return browsers.map(({ path }) => path)
  }
  return { ...app, ...people, service, addDevices }
}

describe.each(dialectsInTurn())('push services that do not answer, on %s', (dialect) => {
  test('do not hold up the rows of a new message', async () => {
    const { Ann, Ben, Cleo, db, service, addDevices } = await open(dialect)
    const devices = [...(await addDevices(Ben.id, DEVICES)), ...(await addDevices(Cleo.id, 1))]
    for (const path of devices) service.answer(path, 'hang')
    await sendPrivate(Ann, Ben, 'One')
    // Waits until the push service has got as many requests as a member may have at the same time. None of
    // these requests ends.
    await eventually(() => expect(service.received).toHaveLength(2))
    const { id } = await sendPrivate(Ann, Cleo, 'Two')
    await eventually(async () =>
      expect(await readRows(db, 'push_items')).toContainEqual(
        expect.objectContaining({ kind: 'message', subject_id: id }),
      ),
    )
    const failed = (await readRows(db, 'jobs')).filter(({ last_error }) => last_error !== null)
    expect(failed).toEqual([])
    service.breakHanging()
  })
})

describe('slow devices of one member', () => {
  test('get two messages at a time, and others theirs meanwhile', async () => {
    const { Ann, Ben, Cleo, db, service, addDevices } = await open('sqlite')
    const slow = await addDevices(Ben.id, DEVICES)
    for (const path of slow) service.answer(path, 'hang')
    const [fast] = await addDevices(Cleo.id, 1)
    await sendPrivate(Ann, Ben, 'One')
    await eventually(() => expect(service.received).toHaveLength(2))
    for (const text of ['Two', 'Three']) await sendPrivate(Ann, Cleo, text)
    await eventually(() => expect(service.receivedAt(fast!)).toHaveLength(2))
    const toSlow = service.received.filter(({ path }) => path !== fast)
    expect(toSlow, 'neither the member nor a postponed job has got another place').toHaveLength(2)
    const readWaiting = async () =>
      (await readRows(db, 'jobs')).filter(
        ({ kind, finished_at }) => kind === 'push_delivery' && finished_at === null,
      )
    // The job of the fast device ends a moment after its requests.
    await eventually(async () => expect(await readWaiting()).toHaveLength(DEVICES))
    const waiting = await readWaiting()
    expect(
      waiting.filter(({ leased_by, attempts }) => leased_by === null && attempts === 0).length,
    ).toBeGreaterThanOrEqual(DEVICES - 8)
    service.breakHanging()
  })
})

describe('a push service', () => {
  const config = {} as Parameters<ReturnType<typeof createSender>>[0]
  const message = { ttl: 60, urgency: 'high', payload: {} } as const
  const targetAt = (host: string, user_id = 1) => ({
    endpoint: `https://${host}/1`,
    p256dh: '',
    auth: '',
    user_id,
  })

  test('is left alone for a while after three requests without an answer, and others are not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const send = vi.fn(async (_: unknown, { endpoint }: { endpoint: string }) => {
      if (endpoint.includes('silent')) throw new Error('No answer')
      return { status: 201 }
    })
    const sendWithPauses = createSender(send, 10_000)
    const ask = (host: string) => sendWithPauses(config, targetAt(host), message)
    for (let n = 0; n < 3; n++) await expect(ask('silent.example')).rejects.toThrow('No answer')
    const refused = await ask('silent.example').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RetryLater)
    expect((refused as RetryLater).delay).toBe(10_000)
    expect(send).toHaveBeenCalledTimes(3)
    expect(await ask('well.example')).toEqual({ status: 201 })
    vi.setSystemTime(Date.now() + 10_000)
    await expect(ask('silent.example')).rejects.toThrow('No answer')
    await expect(ask('silent.example')).rejects.toBeInstanceOf(RetryLater)
    expect(send).toHaveBeenCalledTimes(5)
  })

  test('that answers slowly is left alone too: first for this member, and for all once another is concerned', async () => {
    vi.useFakeTimers()
    const took = vi.fn()
    const isFast = new Set([9])
    const sendWithPauses = createSender(async (_, { user_id }) => {
      if (!isFast.has(user_id)) await new Promise((resolve) => setTimeout(resolve, 9000))
      took(user_id)
      return { status: 201 }
    }, 30_000)
    const ask = (user_id: number) =>
      sendWithPauses(config, targetAt('push.example', user_id), message).then(
        () => 'sent',
        () => 'paused',
      )
    const slow = [ask(1), ask(1), ask(1)]
    await vi.advanceTimersByTimeAsync(2900)
    expect(await ask(9)).toBe('sent')
    await vi.advanceTimersByTimeAsync(200)
    expect([await ask(1), await ask(9)], 'paused before the answer').toEqual(['paused', 'sent'])
    await vi.advanceTimersByTimeAsync(6000)
    expect(await Promise.all(slow)).toEqual(['sent', 'sent', 'sent'])
    expect(await ask(1), 'an answer that came late does not end the pause').toBe('paused')
    await vi.advanceTimersByTimeAsync(30_000)
    const probe = ask(1)
    expect(await ask(1), 'one request tries after the pause').toBe('paused')
    await vi.advanceTimersByTimeAsync(9000)
    expect(await probe).toBe('sent')
    const others = [ask(2), ask(3), ask(4)]
    await vi.advanceTimersByTimeAsync(3100)
    expect(await ask(9), 'all devices at the service').toBe('paused')
    await vi.advanceTimersByTimeAsync(6000)
    await Promise.all(others)
    await vi.advanceTimersByTimeAsync(30_000)
    isFast.add(1)
    expect([await ask(1), await ask(1), await ask(9)]).toEqual(['sent', 'sent', 'sent'])
  })

  test('is asked again at once after an answer', async () => {
    let answers = false
    const sendWithPauses = createSender(async () => {
      if (!answers) throw new Error('No answer')
      return { status: 500 }
    }, 10_000)
    const ask = () => sendWithPauses(config, targetAt('push.example'), message)
    for (const isAnswered of [false, false, true, false, false, true]) {
      answers = isAnswered
      if (isAnswered) expect(await ask()).toEqual({ status: 500 })
      else await expect(ask()).rejects.toThrow('No answer')
    }
  })

  test('is not left alone because the process stopped its requests', async () => {
    const send = vi.fn(async () => {
      throw new Error('Aborted')
    })
    const sendWithPauses = createSender(send, 10_000)
    for (let n = 0; n < 5; n++)
      await expect(
        sendWithPauses(config, targetAt('push.example'), message, AbortSignal.abort()),
      ).rejects.toThrow('Aborted')
    expect(send).toHaveBeenCalledTimes(5)
  })
})
