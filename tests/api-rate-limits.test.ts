import { beforeAll, describe, expect, test } from 'vitest'
import { axiosMember, axiosVisitor, expectError } from '#tests/sanctum.ts'
import { type Site, startSite } from '#tests/site.ts'

describe('with the limits on', () => {
  let strict: Site
  beforeAll(async () => {
    strict = await startSite({ RATE_LIMIT: 'on' })
    return strict.stop
  })
  const tooMany = (answer: Parameters<typeof expectError>[0]) => {
    expectError(answer, 429)
    expect(String(answer.headers['retry-after'])).toMatch(/^[1-9]\d*$/)
  }

  test('a verification link can be tried six times a minute from one address, whatever X-Forwarded-For says', async () => {
    const bad = `/api/email/verify/1/${'0'.repeat(40)}?expires=1&signature=x`
    const answers = []
    for (let n = 0; n < 7; n++)
      answers.push(
        await axiosVisitor(strict.url).http.get(bad, {
          headers: { 'X-Forwarded-For': `10.0.0.${n}` },
        }),
      )
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(403))
    tooMany(answers[6]!)
  })

  test('the verification mail can be sent again six times a minute', async () => {
    const ona = await axiosMember(strict.url, 'Ona')
    for (let n = 0; n < 6; n++)
      expect((await ona.http.post('/api/email/verification-notification')).status).toBe(200)
    tooMany(await ona.http.post('/api/email/verification-notification'))
    expect((await ona.http.get('/api/user')).status).toBe(200)
  })

  test('guessing a password is soon limited, even for the right password; other members are not affected', async () => {
    const [pat, quin] = [await axiosMember(strict.url, 'Pat'), await axiosMember(strict.url, 'Quin')]
    let answer = await axiosVisitor(strict.url).logIn(pat.email, 'wrong password')
    for (let n = 1; n < 30 && answer.status === 422; n++)
      answer = await axiosVisitor(strict.url).logIn(pat.email, `wrong password ${n}`)
    tooMany(answer)
    for (const email of [pat.email, ` ${pat.email.toUpperCase()} `])
      tooMany(await axiosVisitor(strict.url).logIn(email))
    expect((await axiosVisitor(strict.url).logIn(quin.email)).status).toBe(204)
    expect((await pat.http.get('/api/user')).status).toBe(200)
  })

  test('a trusted proxy gives the address of the client; other entries of X-Forwarded-For are ignored', async () => {
    const proxied = await startSite({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1,::1' })
    const bad = `/api/email/verify/1/${'0'.repeat(40)}?expires=1&signature=x`
    const from = (address: string) =>
      axiosVisitor(proxied.url).http.get(bad, {
        headers: { 'X-Forwarded-For': `10.9.9.9, ${address}` },
      })
    for (let n = 0; n < 6; n++) expectError(await from('192.0.2.1'), 403)
    tooMany(await from('192.0.2.1'))
    expectError(await from('192.0.2.2'), 403)
    await proxied.stop()
  })
})
