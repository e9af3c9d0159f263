// Imports the password hashes of the real cost first, because the cheap hashes of other tests would leave the
// queue before these tests look at it.
import { eventually } from '#tests/eventually.ts'
import '#tests/real-password-hashes.ts'
import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword, waitingHashes } from '#features/people/passwords.ts'
import { createTestApp } from '#tests/harness.ts'

const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` })
const email = 'ann@engawa.example'
const right = 'correct horse'

describe('the queue of password hashes', () => {
  test('alternates between networks, so that one network does not block another', async () => {
    const stored = await hashPassword(right, 'ann')
    const done: string[] = []
    const crowd = Array.from({ length: 60 }, () =>
      verifyPassword('guess', stored, 'crowd').then(() => done.push('crowd')),
    )
    const ann = verifyPassword(right, stored, 'ann').then((is) => done.push(is ? 'ann' : 'wrong'))
    await Promise.all([...crowd, ann])
    expect(done.indexOf('ann')).toBeLessThan(10)
  })

  test('answers 503 when the queue is full, first to the network with the most attempts', async () => {
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
    await eventually(() => expect(waitingHashes()).toBeGreaterThan(80))
    const own = ann.post('/login', { email, password: right })
    const refused = (await Promise.all(tries)).filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(10)
    for (const { headers } of refused) expect(headers['retry-after']).toBe('5')
    expect((await own).status).toBe(204)
    expect(waitingHashes()).toBe(0)
  })
})
