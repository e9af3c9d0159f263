import { describe, expect, test } from 'vitest'
import { type Actor, createTestApp, type TestAppOptions } from '#tests/harness.ts'
import { createTestServer, listener } from '#tests/sockets.ts'

describe('the public chat', () => {
  /** A town with a visitor who has been here before. */
  async function open(env: TestAppOptions['env'] = {}) {
    const place = await createTestServer({ env })
    const someone = place.visitor()
    await someone.get('/sanctum/csrf-cookie')
    return { ...place, someone }
  }
  const call = (message: unknown) => ['/api/send-message', { message }] as const

  test('reaches everybody who listens, from a visitor as from a member, and whoever said it too', async () => {
    const { url, someone, members } = await open()
    const { ann } = await members('ann')
    const [one, two] = [await listener(url, 'chat'), await listener(url, 'chat')]
    expect((await someone.post(...call('  Hello,\r\neverybody 🙌 '))).body).toEqual({
      status: 'Message broadcasted!',
    })
    expect((await ann.post(...call('こんにちは'))).status).toBe(200)
    for (const socket of [one, two]) {
      expect(await socket.take('MessageSent')).toEqual({
        event: 'MessageSent',
        channel: 'chat',
        data: { message: 'Hello,\neverybody 🙌' },
      })
      expect((await socket.take('MessageSent')).data).toEqual({ message: 'こんにちは' })
    }
  })

  test('takes a thousand code points, and refuses one more, none, and what is no text', async () => {
    const { url, someone } = await open()
    const socket = await listener(url, 'chat')
    for (const wrong of [
      '',
      ' \n\t',
      undefined,
      null,
      7,
      ['a'],
      { toString: 'a' },
      'a\0b',
      '🍡'.repeat(1001),
    ]) {
      const { status, body } = await someone.post(...call(wrong))
      expect(status, JSON.stringify(wrong)).toBe(422)
      expect(body.errors.message).toHaveLength(1)
    }
    expect((await someone.post(...call('🍡'.repeat(1000)))).status).toBe(200)
    expect((await socket.take('MessageSent')).data.message).toBe('🍡'.repeat(1000))
    expect(socket.heard('MessageSent')).toEqual([])
  })

  test('needs the token', async () => {
    const { url, visitor } = await open()
    const socket = await listener(url, 'chat')
    expect((await visitor().post(...call('Hello'))).status).toBe(419)
    await socket.sync()
    expect(socket.heard('MessageSent')).toEqual([])
  })

  test('ten a minute from one address, whoever they are', async () => {
    const { url, someone, members } = await open({ RATE_LIMIT: 'on' })
    const { ann } = await members('ann')
    const socket = await listener(url, 'chat')
    for (let turn = 0; turn < 10; turn++)
      expect((await (turn % 2 ? ann : someone).post(...call(`${turn}`))).status).toBe(200)
    for (const who of [someone, ann]) {
      const { status, headers } = await who.post(...call('one too many'))
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    for (let turn = 0; turn < 10; turn++)
      expect((await socket.take('MessageSent')).data).toEqual({ message: `${turn}` })
    await socket.sync()
    expect(socket.heard('MessageSent')).toEqual([])
  })

  test('is not there without the demo, nor is its page', async () => {
    const page = (who: Actor) => who.get('/chat', { accept: 'text/html' })
    const { visitor } = await createTestApp({ env: { DEMO: 'off' } })
    const someone = visitor()
    expect((await page(someone)).status).toBe(404)
    expect((await page((await open()).someone)).status).toBe(200)
    expect((await someone.post(...call('Hello'))).status).toBe(404)
    expect((await someone.get('/api/openapi.json')).body.paths).not.toHaveProperty('/api/send-message')
  })
})
