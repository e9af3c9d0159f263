import sharp from 'sharp'
import { thumbHashToRGBA } from 'thumbhash'
import { describe, expect, test } from 'vitest'
import {
  createTestApp,
  dialectsInTurn,
  formData,
  readRows,
  storageKinds,
  type TestAppOptions,
} from '#tests/harness.ts'
import { animatedPicture, fourColours, nearestColour, uploadFile } from '#tests/pictures.ts'

const jpeg = async (width = 700, height = 350) =>
  uploadFile(await fourColours(width, height).jpeg().toBuffer(), 'a.jpg')

async function withPost(options: TestAppOptions = {}) {
  const context = await createTestApp(options)
  const { Ann } = await context.members('Ann')
  const answer = await Ann.post('/api/posts', formData({}, { 'images[]': [await jpeg()] }))
  return { ...context, Ann, image: answer.body.post.images[0] }
}

describe.each(storageKinds)('a stored picture in a store that is %s', (store) => {
  test('is immutable: browsers cache it, and treat it only as a picture', async () => {
    const { visitor, image } = await withPost({ storage: store })
    const answer = await visitor().get(image.path)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        'cache-control': expect.stringMatching(/public.*max-age=31536000.*immutable/),
        'content-length': String(answer.raw.length),
      },
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('supports range requests and conditional requests', async () => {
    const { visitor, image } = await withPost({ storage: store })
    const guest = visitor()
    const whole = await guest.get(image.path)
    const part = await guest.get(image.path, { range: 'bytes=10-29' })
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 10-29/${whole.raw.length}` },
    })
    expect(part.raw).toEqual(whole.raw.subarray(10, 30))
    const again = await guest.get(image.path, { 'if-none-match': String(whole.headers.etag) })
    expect([again.status, again.raw.length]).toEqual([304, 0])
    expect((await guest.get(image.path, { 'if-none-match': '"other"' })).status).toBe(200)
    expect(
      (await guest.get(image.path, { 'if-modified-since': String(whole.headers['last-modified']) })).status,
    ).toBe(304)
    expect(await guest.send('HEAD', image.path)).toMatchObject({
      status: 200,
      headers: { 'content-length': String(whole.raw.length) },
    })
  })

  test('answers 416 to a range behind its end', async () => {
    const { visitor, image } = await withPost({ storage: store })
    const whole = await visitor().get(image.path)
    const answer = await visitor().get(image.path, { range: `bytes=${whole.raw.length}-` })
    // RFC 9110, section 15.5.17: a response with status 416 names the complete length of the file in the
    // header `content-range`.
    expect(answer).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${whole.raw.length}` } })
  })

  test('is the only kind of file that the folder serves', async () => {
    const { visitor, image } = await withPost({ storage: store })
    const guest = visitor()
    const name = image.path.split('/').at(-1)
    const climbing = [
      '../secret',
      '..%2fsecret',
      '%2e%2e/secret',
      '%2e%2e%2fsecret',
      '..%5csecret',
      '....//secret',
      '.%00/../secret',
      'x/../../secret',
    ]
    const wrong = [
      `${'0'.repeat(40)}-320.webp`,
      `${name}.html`,
      name.replace('.webp', ''),
      '',
      '%ff',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      '../engawa.db',
      'x'.repeat(3000),
    ]
    for (const path of [...climbing, ...wrong]) {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await guest.get(`/media/${path}`, { accept })
        expect(answer.status, path).toBeGreaterThanOrEqual(400)
        expect(answer.status, path).toBeLessThan(500)
        expect(String(answer.headers['cache-control']), path).not.toContain('immutable')
        expect(String(answer.body), path).not.toMatch(/engawa-test-|root:|[0-9a-f]{64}/)
      }
    }
    expect(await guest.get(`/media/${wrong[0]}`)).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
    const shown = await guest.get(`/media/${name}`)
    expect(shown.status).toBe(200)
    expect(shown.headers['x-content-type-options']).toBe('nosniff')
    expect(shown.headers['content-security-policy']).toBeUndefined()
  })

  test('has a placeholder with its colours', async () => {
    const { image } = await withPost({ storage: store })
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(image.placeholder, 'base64'))
    expect(w / h).toBeGreaterThan(1.5)
    const painted = await sharp(Buffer.from(rgba), { raw: { width: w, height: h, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer()
    const corners = [
      nearestColour(painted, 1, 1),
      nearestColour(painted, w - 2, 1),
      nearestColour(painted, 1, h - 2),
      nearestColour(painted, w - 2, h - 2),
    ]
    expect(await Promise.all(corners)).toEqual(['red', 'green', 'blue', 'white'])
  })

  test('has an absolute URL where PUBLIC_URL is set', async () => {
    const { Ann, image } = await withPost({ storage: store, env: { PUBLIC_URL: 'https://town.example' } })
    const face = (await Ann.post('/api/profile-image', formData({}, { image: [await jpeg()] }))).body
      .profile_image
    const candidates = image.srcset.split(', ')
    expect(candidates).toHaveLength(3)
    for (const address of [image.path, image.full, face, ...candidates])
      expect(address).toMatch(/^https:\/\/town\.example\/media\//)
    expect((await Ann.get(new URL(image.path).pathname)).status).toBe(200)
    expect((await Ann.get('/api/user')).body.profile_image).toBe(face)
  })
})

describe.each(dialectsInTurn())('a profile image on %s', (dialect) => {
  test('is cropped to squares of 256 and 96 px from the centre, and is not animated', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const wide = uploadFile(
      await fourColours(900, 300, ['red', 'red', 'red', 'red']).jpeg().toBuffer(),
      'wide.jpg',
    )
    for (const file of [wide, uploadFile(await animatedPicture(50, 80).gif().toBuffer(), 'dance.gif')]) {
      const answer = await Ann.post('/api/profile-image', formData({}, { image: [file] }))
      expect(answer).toMatchObject({
        status: 200,
        body: { profile_image: expect.stringMatching(/^\/media\/[0-9a-f]{40}-256\.webp$/) },
      })
      const path: string = answer.body.profile_image
      for (const [address, side] of [
        [path, 256],
        [path.replace('-256.', '-96.'), 96],
      ] as const) {
        const { raw } = await Ben.get(address)
        const { width, height, pages = 1 } = await sharp(raw).metadata()
        expect([width, height, pages]).toEqual([side, side, 1])
        expect(await nearestColour(raw, 9, 9)).toBe('red')
      }
      expect((await Ann.get('/api/profile')).body.profile_image).toBe(path)
      await Ann.post('/api/posts', formData({ text: 'My new face' }))
      expect((await Ben.get('/api/posts')).body[0].user).toMatchObject({ name: 'Ann', profile_image: path })
      expect((await Ben.get('/api/users')).body[0]).toMatchObject({ name: 'Ann', profile_image: path })
    }
    expect((await Ben.get('/api/user')).body.profile_image).toBeNull()
  })

  // spec: 7.16
  test('must be exactly one picture, sent by a member', async () => {
    const { members, visitor, db } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const send = (image: File[]) => Ann.post('/api/profile-image', formData({}, { image }))
    const picture = await jpeg()
    const refused = { status: 422, body: { errors: { image: [expect.any(String)] } } }
    expect(await send([])).toMatchObject(refused)
    expect(await Ann.post('/api/profile-image', {})).toMatchObject(refused)
    expect(await Ann.post('/api/profile-image', formData({ image: 'text' }))).toMatchObject(refused)
    expect(await send([uploadFile('text', 'face.png')])).toMatchObject({
      ...refused,
      body: { message: expect.stringContaining('face.png') },
    })
    expect(await send([picture, picture])).toMatchObject(refused)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    expect((await guest.post('/api/profile-image', formData({}, { image: [picture] }))).status).toBe(401)
    expect((await Ann.get('/api/user')).body.profile_image).toBeNull()
    expect(await readRows(db, 'media')).toEqual([])
    expect((await send([picture])).status).toBe(200)
  })

  test('is exactly one of several concurrent uploads, and complete', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const send = async (width: number) =>
      Ann.post('/api/profile-image', formData({}, { image: [await jpeg(width, 200)] }))
    const answers = await Promise.all([send(200), send(300), send(200)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { profile_image } = (await Ann.get('/api/user')).body
    expect(answers.map(({ body }) => body.profile_image)).toContain(profile_image)
    expect((await Ann.get(profile_image)).status).toBe(200)
  })
})
