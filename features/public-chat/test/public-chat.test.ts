import { describe, expect, test } from 'vitest'
import { createTestApp, type TestAppOptions, type TestClient } from '#tests/harness.ts'
import { connectSubscribed, realtimeApp } from '#tests/sockets.ts'

describe('the public chat', () => {
  /** Starts a server, and creates a test client of a visitor who already has the session cookies. */
  async function open(env: TestAppOptions['env'] = {}) {
    const testApp = await realtimeApp({ env })
    const someone = testApp.visitor()
    await someone.get('/sanctum/csrf-cookie')
    return { ...testApp, someone }
  }
  const call = (message: unknown) => ['/api/send-message', { message }] as const

  // spec: 7.25, 7.35
  test('delivers messages of visitors and members to every subscriber, including the sender', async () => {
    const { url, someone, members } = await open()
    const { ann } = await members('ann')
    const [one, two] = [await connectSubscribed(url, 'chat'), await connectSubscribed(url, 'chat')]
    expect((await someone.post(...call('  Hello,\r\neverybody 🙌 '))).body).toEqual({
      status: 'Message broadcasted!',
    })
    expect((await ann.post(...call('こんにちは'))).status).toBe(200)
    for (const socket of [one, two]) {
      expect(await socket.nextMessage('MessageSent')).toEqual({
        event: 'MessageSent',
        channel: 'chat',
        data: { message: 'Hello,\neverybody 🙌' },
      })
      expect((await socket.nextMessage('MessageSent')).data).toEqual({ message: 'こんにちは' })
    }
  })

  test('accepts a thousand code points, and refuses longer, empty and non-text messages', async () => {
    const { url, someone } = await open()
    const socket = await connectSubscribed(url, 'chat')
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
    expect((await socket.nextMessage('MessageSent')).data.message).toBe('🍡'.repeat(1000))
    expect(socket.received('MessageSent')).toEqual([])
  })

  test('requires a CSRF token', async () => {
    const { url, visitor } = await open()
    const socket = await connectSubscribed(url, 'chat')
    expect((await visitor().post(...call('Hello'))).status).toBe(419)
    await socket.sync()
    expect(socket.received('MessageSent')).toEqual([])
  })

  test('accepts ten messages a minute per address, whoever sends them', async () => {
    const { url, someone, members } = await open({ RATE_LIMIT: 'on' })
    const { ann } = await members('ann')
    const socket = await connectSubscribed(url, 'chat')
    for (let turn = 0; turn < 10; turn++)
      expect((await (turn % 2 ? ann : someone).post(...call(`${turn}`))).status).toBe(200)
    for (const who of [someone, ann]) {
      const { status, headers } = await who.post(...call('one too many'))
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    for (let turn = 0; turn < 10; turn++)
      expect((await socket.nextMessage('MessageSent')).data).toEqual({ message: `${turn}` })
    await socket.sync()
    expect(socket.received('MessageSent')).toEqual([])
  })

  test('does not exist with DEMO=off, nor does its page', async () => {
    const page = (who: TestClient) => who.get('/chat', { accept: 'text/html' })
    const { visitor } = await createTestApp({ env: { DEMO: 'off' } })
    const someone = visitor()
    expect((await page(someone)).status).toBe(404)
    expect((await page((await open()).someone)).status).toBe(200)
    expect((await someone.post(...call('Hello'))).status).toBe(404)
    expect((await someone.get('/api/openapi.json')).body.paths).not.toHaveProperty('/api/send-message')
  })
})
