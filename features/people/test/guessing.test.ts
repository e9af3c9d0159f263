import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#core/config.ts'
import { openRedis } from '#core/redis.ts'
import { createLocalAttempts, createLogInAttempts } from '#features/people/log-in-attempts.ts'
import { hashPassword, isPassword, queuedPasswordHashes } from '#features/people/passwords.ts'
import { temporaryFolder } from '#tests/databases.ts'
import { type Actor, createTestApp, dialects } from '#tests/harness.ts'
import { startRedis } from '#tests/redis.ts'
import { findRedis } from '#tests/services.ts'

const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` })
const email = 'ann@engawa.example'
const right = 'correct horse'

async function logIn(actor: Actor, password: string, address = email) {
  await actor.get('/sanctum/csrf-cookie')
  return actor.post('/login', { email: address, password })
}

/**
 * Stops the clock that delays count by: a busy machine may take a second for a try. Returns a function that
 * sets it forward.
 */
function stopClock() {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (ms: number) => {
    now += ms
  }
}
afterEach(() => vi.restoreAllMocks())

describe.each(dialects)('guessing passwords on %s', (dialect) => {
  const open = () => createTestApp({ dialect, env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  type App = Awaited<ReturnType<typeof open>>
  const guess = async ({ visitor }: App, count: number, address = email) => {
    const answers = []
    for (let n = 0; n < count; n++) answers.push(await logIn(visitor(from(n)), `guess ${n}`, address))
    return answers
  }

  test('waits longer and longer, from however many addresses it comes', async () => {
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
    // Even the right password has to wait on an unknown device, and no longer than the delay.
    const phone = app.visitor(from(999))
    expect((await logIn(phone, right)).status).toBe(429)
    later(2000)
    expect((await logIn(phone, 'wrong')).status).toBe(422)
    const next = await logIn(phone, 'wrong')
    expect([next.status, next.headers['retry-after']]).toEqual([429, '2'])
    later(10 * 60_000)
    expect((await logIn(phone, right)).status).toBe(204)
    expect((await logIn(app.visitor(from(1000)), 'wrong')).status).toBe(422)
  })

  test('does not delay a browser that the owner has used, and that browser has a count of its own', async () => {
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

  test('takes a device of another account, or one that is made up, for none', async () => {
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
    // One browser may know both.
    await logIn(ann, right, 'ben@engawa.example')
    await guess(app, 1)
    expect((await logIn(ann, right)).status).toBe(204)
  })

  test('answers the same for an address that nobody has', async () => {
    const app = await open()
    await app.visitor(from(1)).register('Ann')
    stopClock()
    const shape = (answers: Awaited<ReturnType<typeof guess>>) =>
      answers.map(({ status, body, headers }) => [status, body, headers['retry-after'], Object.keys(headers)])
    expect(shape(await guess(app, 11, 'nobody@engawa.example'))).toEqual(shape(await guess(app, 11)))
  })
})

test('tries at the same moment are counted before their passwords are compared', async () => {
  const app = await createTestApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  await app.visitor(from(1)).register('Ann')
  stopClock()
  const crowd = Array.from({ length: 30 }, (_, n) => logIn(app.visitor(from(n)), `guess ${n}`))
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(10)
})

test('counts need no more memory than they may, and those that delay are not pushed out by others', () => {
  let now = 0
  const attempts = createLocalAttempts(() => now)
  for (let n = 0; n < 10; n++) expect(attempts.begin('ann')).toBe(0)
  for (let n = 0; n < 50_000; n++) attempts.begin(`stranger ${n}`)
  expect(attempts.size()).toBeLessThanOrEqual(40_000)
  expect(attempts.begin('ann')).toBe(1000)
  now += 1000
  expect(attempts.begin('ann')).toBe(0)
  expect(attempts.begin('ann')).toBe(2000)
  attempts.cancel('ann')
  expect(attempts.begin('ann')).toBe(0)
  for (let n = 0; n < 40; n++) {
    now += 3600_000
    attempts.begin('ann')
  }
  expect(attempts.begin('ann')).toBe(300_000)
  now += 25 * 3600_000
  for (let n = 0; n < 10; n++) expect(attempts.begin('ann')).toBe(0)
})

test.skipIf(!findRedis())('processes that share a Redis count together', async () => {
  const redis = await startRedis()
  onTestFinished(redis.end)
  const config = readConfig({ DATA_DIR: temporaryFolder(), RATE_LIMIT: 'on' })
  const connections = await Promise.all([openRedis(config, [redis.url]), openRedis(config, [redis.url])])
  onTestFinished(async () => void (await Promise.all(connections.map((connection) => connection.close()))))
  const [one, other] = connections.map((connection) => createLogInAttempts(config, connection)) as [
    ReturnType<typeof createLogInAttempts>,
    ReturnType<typeof createLogInAttempts>,
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

describe('hashing', () => {
  test('takes turns by network: many tries of one do not hold up another', async () => {
    const stored = await hashPassword(right, 'ann')
    const done: string[] = []
    const crowd = Array.from({ length: 60 }, () =>
      isPassword('guess', stored, 'crowd').then(() => done.push('crowd')),
    )
    const ann = isPassword(right, stored, 'ann').then((is) => done.push(is ? 'ann' : 'wrong'))
    await Promise.all([...crowd, ann])
    expect(done.indexOf('ann')).toBeLessThan(10)
  })

  test('refuses with 503 where too many wait, and the tries of one network first', async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } })
    await app.visitor(from(1)).register('Ann')
    const crowd = await Promise.all(
      Array.from({ length: 130 }, async () => {
        const actor = app.visitor(from(7))
        await actor.get('/sanctum/csrf-cookie')
        return actor
      }),
    )
    const ann = app.visitor(from(2))
    await ann.get('/sanctum/csrf-cookie')
    const tries = crowd.map((actor) => actor.post('/login', { email, password: 'guess' }))
    await vi.waitFor(() => expect(queuedPasswordHashes()).toBeGreaterThan(80))
    const own = ann.post('/login', { email, password: right })
    const refused = (await Promise.all(tries)).filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(10)
    for (const { headers } of refused) expect(headers['retry-after']).toBe('5')
    expect((await own).status).toBe(204)
    expect(queuedPasswordHashes()).toBe(0)
  })
})
