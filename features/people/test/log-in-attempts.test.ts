import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#core/config.ts'
import { openRedis } from '#core/process/redis.ts'
import { attemptCounter, memoryCounter } from '#features/people/log-in-attempts.ts'
import { temporaryFolder } from '#tests/databases.ts'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'

const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` })
const email = 'ann@engawa.example'
const right = 'correct horse'

async function logIn(actor: TestClient, password: string, address = email) {
  await actor.get('/sanctum/csrf-cookie')
  return actor.post('/login', { email: address, password })
}

/**
 * Stops the clock that measures the delay of log-ins, because a log-in may take a second on a busy machine.
 * Returns a function that moves the clock forward.
 */
function stopClock() {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (ms: number) => {
    now += ms
  }
}
afterEach(() => vi.restoreAllMocks())

describe.each(dialectsInTurn())('guessing passwords on %s', (dialect) => {
  const open = () => createTestApp({ dialect, env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  type App = Awaited<ReturnType<typeof open>>
  const guess = async ({ visitor }: App, count: number, address = email) => {
    const answers = []
    for (let n = 0; n < count; n++) answers.push(await logIn(visitor(from(n % 10)), `guess ${n}`, address))
    return answers
  }

  test('is delayed more and more, from however many addresses it comes', async () => {
    const app = await open()
    const later = stopClock()
    await app.visitor(from(1)).register('Ann')
    const answers = await guess(app, 40)
    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(422))
    for (const { status, headers, body } of answers.slice(10)) {
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(body).toEqual({ message: expect.any(String) })
    }
    // In a network with a failure, even the right password is refused during the delay, and accepted after
    // the delay.
    const phone = app.visitor(from(5))
    expect((await logIn(phone, right)).status).toBe(429)
    later(2000)
    expect((await logIn(phone, 'wrong')).status).toBe(422)
    const next = await logIn(phone, 'wrong')
    expect([next.status, next.headers['retry-after']]).toEqual([429, '2'])
    later(10 * 60_000)
    expect((await logIn(phone, right)).status).toBe(204)
    expect((await logIn(app.visitor(from(1000)), 'wrong')).status).toBe(422)
  })

  test('does not delay a browser that the owner has used, which has a counter of its own', async () => {
    const app = await open()
    const ann = app.visitor(from(1))
    await ann.register('Ann')
    stopClock()
    const laptop = app.visitor(from(2))
    expect((await logIn(laptop, right)).status).toBe(204)
    await guess(app, 12)
    expect((await logIn(app.visitor(from(3)), right)).status).toBe(429)
    for (const device of [ann, laptop]) expect((await logIn(device, right)).status).toBe(204)
    const seen = []
    for (let n = 0; n < 12; n++) {
      const stolen = app.visitor(from(100 + n))
      stolen.jar.set('engawa_devices', laptop.jar.get('engawa_devices')!)
      seen.push((await logIn(stolen, 'wrong')).status)
    }
    expect(seen).toEqual([...Array(10).fill(422), 429, 429])
    expect((await logIn(ann, right)).status).toBe(204)
  })

  test('leaves one try to each network without a failure, up to a total, and names the other ways', async () => {
    const app = await open()
    stopClock()
    await app.visitor(from(1)).register('Ann')
    await guess(app, 11)
    // The owner on a new device, while each next try of the account is the attacker's.
    expect((await logIn(app.visitor(from(50)), right)).status).toBe(204)
    expect((await guess(app, 1))[0]!.status).toBe(429)
    expect((await logIn(app.visitor(from(51)), 'wrong')).status).toBe(422)
    expect((await logIn(app.visitor(from(51)), right)).status).toBe(429)
    const crowd = []
    for (let n = 100; n < 150; n++) crowd.push((await logIn(app.visitor(from(n)), 'wrong')).status)
    expect(crowd.filter((status) => status === 422)).toHaveLength(48)
    const refused = await logIn(app.visitor(from(200)), right)
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('passkey')])
  })

  test('ignores device tokens of other accounts and forged ones', async () => {
    const app = await open()
    const [ann, ben] = [app.visitor(from(1)), app.visitor(from(2))]
    await ann.register('Ann')
    await ben.register('Ben')
    stopClock()
    await guess(app, 10)
    const [nonce, signature] = ben.jar.get('engawa_devices')!.split('.')
    const wrong = [`${nonce}.${signature}`, `${nonce}.`, '.', `x.${signature}`, '~~~~', 'x'.repeat(3000)]
    for (const devices of wrong) {
      const thief = app.visitor(from(3))
      thief.jar.set('engawa_devices', devices)
      expect((await logIn(thief, right)).status, devices).toBe(429)
    }
    // A browser that has logged in to two accounts counts as a known device for both.
    await logIn(ann, right, 'ben@engawa.example')
    await guess(app, 1)
    expect((await logIn(ann, right)).status).toBe(204)
  })

  test('does not delay the owners of a shared tablet, however many have logged in after them', async () => {
    const app = await open()
    const tablet = app.visitor(from(1))
    const names = Array.from({ length: 8 }, (_, n) => `Pupil${n}`)
    for (const name of names) {
      await app.visitor(from(50)).register(name)
      expect((await logIn(tablet, right, `${name.toLowerCase()}@engawa.example`)).status).toBe(204)
    }
    stopClock()
    const first = 'pupil0@engawa.example'
    await guess(app, 12, first)
    expect((await logIn(app.visitor(from(3)), right, first)).status).toBe(429)
    expect((await logIn(tablet, right, first)).status).toBe(204)
  })

  test('counts on after the account has a new handle', async () => {
    const app = await open()
    const ann = app.visitor(from(1))
    await ann.register('Ann')
    stopClock()
    expect((await guess(app, 11, 'ann')).at(-1)!.status).toBe(429)
    expect((await ann.post('/api/profile', { name: 'Ann', handle: 'anna' })).status).toBe(200)
    expect((await guess(app, 1, 'anna'))[0]!.status).toBe(429)
  })

  test('gets the same responses for an unknown handle', async () => {
    const app = await open()
    await app.visitor(from(1)).register('Ann')
    stopClock()
    const shape = (answers: Awaited<ReturnType<typeof guess>>) =>
      answers.map(({ status, body, headers }) => [status, body, headers['retry-after'], Object.keys(headers)])
    expect(shape(await guess(app, 11, 'nobody'))).toEqual(shape(await guess(app, 11, 'ann')))
  })

  test('gets the same responses for an unknown address', async () => {
    const app = await open()
    await app.visitor(from(1)).register('Ann')
    stopClock()
    const shape = (answers: Awaited<ReturnType<typeof guess>>) =>
      answers.map(({ status, body, headers }) => [status, body, headers['retry-after'], Object.keys(headers)])
    expect(shape(await guess(app, 11, 'nobody@engawa.example'))).toEqual(shape(await guess(app, 11)))
  })
})

test('concurrent attempts are counted before their passwords are compared', async () => {
  const app = await createTestApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  await app.visitor(from(1)).register('Ann')
  stopClock()
  const crowd = Array.from({ length: 30 }, (_, n) => logIn(app.visitor(from(7)), `guess ${n}`))
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(10)
})

test('counters have a memory limit, and delaying ones are not evicted by others', () => {
  let now = 0
  const attempts = memoryCounter(() => now)
  for (let n = 0; n < 10; n++) expect(attempts.begin('ann')).toBe(0)
  for (let n = 0; n < 50_000; n++) attempts.begin(`stranger ${n}`)
  expect(attempts.size()).toBeLessThanOrEqual(40_000)
  expect(attempts.begin('ann')).toBe(1000)
  now += 1000
  expect(attempts.begin('ann')).toBe(0)
  expect(attempts.begin('ann')).toBe(2000)
  attempts.cancel('ann')
  // Cancelling an attempt removes the delay of that attempt, but not the delay of the attempt before.
  expect(attempts.begin('ann')).toBe(1000)
  now += 1000
  expect(attempts.begin('ann')).toBe(0)
  for (let n = 0; n < 40; n++) {
    now += 3600_000
    attempts.begin('ann')
  }
  expect(attempts.begin('ann')).toBe(300_000)
  now += 25 * 3600_000
  for (let n = 0; n < 10; n++) expect(attempts.begin('ann')).toBe(0)
})

test.skipIf(!findRedis())('processes that share Redis share the counters', async () => {
  const redis = await startRedis()
  onTestFinished(redis.end)
  const config = readConfig({ DATA_DIR: temporaryFolder(), RATE_LIMIT: 'on' })
  const connections = await Promise.all([openRedis(config, [redis.url]), openRedis(config, [redis.url])])
  onTestFinished(async () => void (await Promise.all(connections.map((connection) => connection.close()))))
  const [one, other] = connections.map((connection) => attemptCounter(config, connection)) as [
    ReturnType<typeof attemptCounter>,
    ReturnType<typeof attemptCounter>,
  ]
  for (let n = 0; n < 5; n++) expect([await one.begin('ann'), await other.begin('ann')]).toEqual([0, 0])
  const wait = await one.begin('ann')
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(1000)
  expect(await other.begin('ann')).toBeGreaterThan(0)
  expect(await other.begin('ben')).toBe(0)
  await other.cancel('ann')
  expect(await one.begin('ann')).toBe(0)
  await one.succeed('ann')
  for (let n = 0; n < 10; n++) expect(await other.begin('ann')).toBe(0)
  await redis.end()
  expect(await one.begin('ann')).toBe(0)
})
