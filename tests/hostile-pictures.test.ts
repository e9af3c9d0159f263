import { readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp, formData, type TestClient } from '#tests/harness.ts'
import { animatedPicture, blackPng, fourColours, uploadFile } from '#tests/pictures.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Options for vi.waitFor: it waits up to twenty seconds, because other tests may keep the machine busy. */
const longTimeout = { interval: 10, timeout: 20_000 }

const small = async () => uploadFile(await fourColours(64, 32).png().toBuffer(), 'small.png')
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#369' }, limitInputPixels: false })
const post = (who: TestClient, ...files: File[]) =>
  who.post('/api/posts', formData({}, { 'images[]': files }))

/**
 * Creates a test app with the attacker Mallory and the member Ann. Returns it with functions that run attacks
 * and check their effects.
 */
async function createAttackedApp() {
  const context = await createTestApp()
  const { Ann, Mallory } = await context.members('Ann', 'Mallory')
  const errors = vi.spyOn(context.app.log, 'error')
  /**
   * Waits for the attacks and returns their results. Meanwhile, expects that a health check and a new post by
   * Ann with a picture succeed.
   */
  async function during<T>(attack: Promise<T>[]) {
    let running = true
    const all = Promise.all(attack).finally(() => (running = false))
    const [health, picture] = await Promise.all([context.visitor().get('/healthz'), post(Ann, await small())])
    expect([health.status, picture.status]).toEqual([200, 201])
    return { attackWasRunning: running, answers: await all }
  }
  const expectTidy = async () => {
    await expect.poll(() => readdir(join(context.folder, 'scratch')), longTimeout).toEqual([])
    expect(errors.mock.calls).toEqual([])
  }
  return { ...context, Ann, Mallory, errors, during, expectTidy }
}

/** A GIF with two frames of one pixel each. */
const twoFrames = Buffer.from(
  '47494638396101000100800000000000ffffff21f90400000000002c00000000010001000002024401' +
    '0021f90400000000002c000000000100010000020244010' +
    '03b',
  'hex',
)

describe('a picture that is expensive to decode', () => {
  test.each<[name: string, why: RegExp, ja: RegExp, bytes: () => Buffer | Promise<Buffer>]>([
    ['thin.png', /one of its sides has more than 16,384 pixels/, /16,384画素/, () => blackPng(1, 49_000_000)],
    ['flat.png', /16,384 pixels/, /16,384画素/, () => blackPng(16_385, 8)],
    [
      'large.avif',
      /too much memory/,
      /この形式では処理できません/,
      async () => claims(await plain(64, 64).avif({ effort: 0 }).toBuffer(), 6000, 4200),
    ],
    [
      'deep.avif',
      /too much memory/,
      /この形式では処理できません/,
      async () => claims(await plain(64, 64).avif({ effort: 0, bitdepth: 12 }).toBuffer(), 4000, 3200),
    ],
  ])('%s is refused by its header, with the name and the reason', async (name, why, ja, bytes) => {
    const { Mallory, during, expectTidy } = await createAttackedApp()
    const file = uploadFile(await bytes(), name)
    const { answers } = await during([
      post(Mallory, file),
      Mallory.post('/api/profile-image', formData({}, { image: [file] })),
      Mallory.send('POST', '/api/posts', formData({}, { 'images[]': [file] }), {
        'accept-language': 'ja',
      }),
    ])
    for (const [index, { status, body }] of answers.entries()) {
      expect(status).toBe(422)
      expect(body.message).toContain(name)
      expect(body.message).toMatch(index === 2 ? ja : why)
    }
    await expectTidy()
  })

  test('of the maximum width or height is accepted', async () => {
    const { Ann, expectTidy } = await createAttackedApp()
    expect(
      (await post(Ann, uploadFile(blackPng(16_384, 8), 'a.png'), uploadFile(blackPng(8, 16_384), 'b.png')))
        .status,
    ).toBe(201)
    await expectTidy()
  })

  test('with a width of one pixel and several frames becomes a still picture', async () => {
    const { Ann, expectTidy } = await createAttackedApp()
    const high = uploadFile(await animatedPicture(1, 20).gif().toBuffer(), 'high.gif')
    for (const file of [uploadFile(twoFrames, 'tiny.gif'), high]) {
      const { status, body } = await post(Ann, file)
      expect(status).toBe(201)
      const [image] = body.post.images
      expect(image).toMatchObject({ width: 1, animated: false })
      expect((await Ann.get(image.path)).status).toBe(200)
    }
    await expectTidy()
  })

  test('with a hundred thousand frames becomes a still picture', async () => {
    const { Mallory, during, expectTidy } = await createAttackedApp()
    const { answers } = await during([post(Mallory, uploadFile(manyFrames(100_000), 'frames.gif'))])
    expect(answers[0]).toMatchObject({ status: 201, body: { post: { images: [{ animated: false }] } } })
    await expectTidy()
  })
})

describe('a member who sends many pictures', () => {
  test('gets a 429 for more than eight requests at a time, and other members are still served', async () => {
    const { Ann, Mallory, during, expectTidy } = await createAttackedApp()
    const file = uploadFile(await plain(1500, 1500).avif({ effort: 0 }).toBuffer(), 'a.avif')
    const { attackWasRunning, answers } = await during(
      Array.from({ length: 12 }, () => post(Mallory, file, file)),
    )
    expect(attackWasRunning).toBe(true)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(201), ...Array(4).fill(429)])
    for (const { body, headers } of answers.filter(({ status }) => status === 429)) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(body.message).toContain('Your other pictures')
    }
    expect((await post(Mallory, await small())).status).toBe(201)
    expect((await post(Ann, await small())).status).toBe(201)
    await expectTidy()
  })

  test('has a quota of undecoded bytes, which is released with the requests', async () => {
    const { Mallory, app, folder, during, expectTidy } = await createAttackedApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const sockets = Array.from({ length: 3 }, () => uploadOf(app, Mallory, 82 * 2 ** 20))
    for (const socket of sockets) socket.write(part + 'x'.repeat(1000))
    await expect.poll(() => readdir(join(folder, 'scratch')), longTimeout).toHaveLength(3)
    expect((await post(Mallory, largeFile())).status).toBe(429)
    await during([])
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await post(Mallory, largeFile())).status, longTimeout).not.toBe(429)
    await expectTidy()
  })

  test('and disconnects leaves no task, no file and no error in the log', async () => {
    const { Mallory, app, context, during, expectTidy } = await createAttackedApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const avif = await plain(2000, 2000).avif({ effort: 0 }).toBuffer()
    const body = Buffer.concat([Buffer.from(part), avif, Buffer.from('\r\n--b--\r\n')])
    const sockets = Array.from({ length: 8 }, () => uploadOf(app, Mallory, body.length))
    for (const socket of sockets) socket.write(body)
    await expect.poll(() => context.media.queueLength(), longTimeout).toBeGreaterThan(4)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => context.media.queueLength(), longTimeout).toBe(0)
    await during([])
    await expectTidy()
    // Expects at most four posts. If a client disconnects while its pictures are being decoded, its post may
    // still be created.
    expect((await Mallory.get('/api/posts')).body.length).toBeLessThanOrEqual(4)
  })
})

test.each([
  [
    'multipart/form-data; boundary=b',
    '/api/posts',
    '--b\r\nContent-Disposition: form-data; name="images[]"; filename="a.png"\r\n\r\nxyz',
  ],
  ['application/json', '/api/posts', '{"text":'],
  ['application/x-www-form-urlencoded', '/my-broadcast-auth', 'channel_name=a'],
])('a body of %s that breaks off is not logged as an error', async (type, path, start) => {
  const { Mallory, app, expectTidy } = await createAttackedApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const close of ['destroy', 'resetAndDestroy'] as const) {
    const socket = uploadOf(app, Mallory, 5000, type, path)
    const received = new Promise<IncomingMessage>((resolve) => app.server.once('request', resolve))
    socket.write(start)
    const closed = new Promise((resolve) => received.then((request) => request.once('close', resolve)))
    await received
    socket[close]()
    await closed
  }
  await expectTidy()
})

const part = '--b\r\nContent-Disposition: form-data; name="images[]"; filename="a.avif"\r\n\r\n'
const largeFile = () => uploadFile(Buffer.alloc(9 * 2 ** 20), 'heavy.png')

/**
 * Opens a connection to the app, and sends only the headers of a POST request with a body of `length` bytes.
 * Returns the socket.
 */
function uploadOf(
  app: Awaited<ReturnType<typeof createTestApp>>['app'],
  { jar }: TestClient,
  length: number,
  type = 'multipart/form-data; boundary=b',
  path = '/api/posts',
): Socket {
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = decodeURIComponent(jar.get('XSRF-TOKEN')!)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost:3000',
    `Cookie: ${cookies}`,
    `X-XSRF-TOKEN: ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

/** Returns a copy of an AVIF with another width and height in its header. */
function claims(avif: Buffer, width: number, height: number) {
  const bytes = Buffer.from(avif)
  const at = bytes.indexOf('ispe') + 8
  bytes.writeUInt32BE(width, at)
  bytes.writeUInt32BE(height, at + 4)
  return bytes
}

/** Returns a GIF of 2 × 2 pixels with `count` frames of 26 bytes each. */
function manyFrames(count: number) {
  const head = Buffer.from('47494638396102000200800000000000ffffff', 'hex')
  const frame = Buffer.from('21f90400010000002c00000000020002000002028451' + '00', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(count).fill(frame), Buffer.from(';')])
}
