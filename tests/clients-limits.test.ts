import { beforeAll, describe, expect, test } from 'vitest'
import { expectRefused, member, visitor } from '#tests/sanctum.ts'
import { type Server, startServer } from '#tests/server.ts'

describe('with the limits on', () => {
  let strict: Server
  beforeAll(async () => {
    strict = await startServer()
  })
  const tooMany = (answer: Parameters<typeof expectRefused>[0]) => {
    expectRefused(answer, 429)
    expect(String(answer.headers['retry-after'])).toMatch(/^[1-9]\d*$/)
  }

  test('a link is tried six times a minute from one address, whatever it says of itself', async () => {
    const bad = `/api/email/verify/1/${'0'.repeat(40)}?expires=1&signature=x`
    const answers = []
    for (let n = 0; n < 7; n++)
      answers.push(await visitor(strict.url).http.get(bad, { headers: { 'X-Forwarded-For': `10.0.0.${n}` } }))
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(403))
    tooMany(answers[6]!)
  })

  test('the mail is sent again six times a minute', async () => {
    const ona = await member(strict.url, 'Ona')
    for (let n = 0; n < 6; n++)
      expect((await ona.http.post('/api/email/verification-notification')).status).toBe(200)
    tooMany(await ona.http.post('/api/email/verification-notification'))
    expect((await ona.http.get('/api/user')).status).toBe(200)
  })

  test('guessing a password ends soon, even with the right one, and for nobody else', async () => {
    const [pat, quin] = [await member(strict.url, 'Pat'), await member(strict.url, 'Quin')]
    let answer = await visitor(strict.url).logIn(pat.email, 'wrong password')
    for (let n = 1; n < 30 && answer.status === 422; n++)
      answer = await visitor(strict.url).logIn(pat.email, `wrong password ${n}`)
    tooMany(answer)
    for (const email of [pat.email, ` ${pat.email.toUpperCase()} `])
      tooMany(await visitor(strict.url).logIn(email))
    expect((await visitor(strict.url).logIn(quin.email)).status).toBe(204)
    expect((await pat.http.get('/api/user')).status).toBe(200)
  })

  test('proxies that are trusted speak for their clients, and no others', async () => {
    const proxied = await startServer({ TRUST_PROXY: '127.0.0.1,::1' })
    const bad = `/api/email/verify/1/${'0'.repeat(40)}?expires=1&signature=x`
    const from = (address: string) =>
      visitor(proxied.url).http.get(bad, { headers: { 'X-Forwarded-For': `10.9.9.9, ${address}` } })
    for (let n = 0; n < 6; n++) expectRefused(await from('192.0.2.1'), 403)
    tooMany(await from('192.0.2.1'))
    expectRefused(await from('192.0.2.2'), 403)
    await proxied.stop()
  })
})
