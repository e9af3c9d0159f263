import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Actor, createTestApp, form } from '#tests/harness.ts'
import { asFile, type Colour, colourAt, frames, padded, pixelOf, quarters } from '#tests/pictures.ts'

interface Image {
  id: number
  path: string
  width: number
  height: number
  alt: string | null
  srcset: string
  full: string
  placeholder: string
  animated: boolean
}

async function posted(actor: Actor, ...files: File[]): Promise<Image[]> {
  const answer = await actor.post('/api/posts', form({}, { 'images[]': files }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post.images
}

/** The bytes behind an address, as a browser gets them. */
async function fetched(actor: Actor, path: string): Promise<Buffer> {
  const answer = await actor.get(path)
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
  return answer.raw
}

const candidates = ({ srcset }: Image) =>
  srcset
    .split(', ')
    .filter(Boolean)
    .map((part) => {
      const [path, width] = part.split(' ') as [string, string]
      return { path, width: Number(width.replace(/w$/, '')) }
    })

describe('pictures of a post', () => {
  const open = async () => {
    const context = await createTestApp()
    return { ...context, ...(await context.members('Ann')) }
  }

  test('are accepted as JPEG, PNG, WebP, AVIF and GIF, and shown as they are', async () => {
    const { Ann } = await open()
    const made = {
      'one.jpg': await quarters().jpeg().toBuffer(),
      'two.png': await quarters().png().toBuffer(),
      'three.webp': await quarters().webp().toBuffer(),
      'four.avif': await quarters().avif({ effort: 0 }).toBuffer(),
      'five.gif': await quarters().gif().toBuffer(),
    }
    const files = Object.entries(made).map(([name, bytes]) => asFile(bytes, name))
    for (const image of [
      ...(await posted(Ann, ...files.slice(0, 3))),
      ...(await posted(Ann, ...files.slice(3))),
    ]) {
      expect(image).toMatchObject({
        width: 64,
        height: 32,
        alt: null,
        animated: false,
        path: expect.stringMatching(/^\/media\/[\w-]+\.webp$/),
      })
      const bytes = await fetched(Ann, image.path)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 32 })
      const corners = [
        colourAt(bytes, 8, 8),
        colourAt(bytes, 56, 8),
        colourAt(bytes, 8, 24),
        colourAt(bytes, 56, 24),
      ]
      expect(await Promise.all(corners)).toEqual(['red', 'green', 'blue', 'white'])
    }
  })

  test('are what their bytes say, whatever their name and declared type', async () => {
    const { Ann } = await open()
    const png = await quarters().png().toBuffer()
    const images = await posted(
      Ann,
      asFile(png, 'x.jpg', 'image/gif'),
      asFile(png, 'page.html', 'text/html'),
      asFile(png, 'bare', ''),
    )
    expect(images).toMatchObject([{ width: 64 }, { width: 64 }, { width: 64 }])
  })

  test('stand upright in each of the eight orientations of EXIF', async () => {
    const { Ann } = await open()
    const upright: Record<number, [Colour, Colour]> = {
      1: ['red', 'green'],
      2: ['green', 'red'],
      3: ['white', 'blue'],
      4: ['blue', 'white'],
      5: ['red', 'blue'],
      6: ['blue', 'red'],
      7: ['white', 'green'],
      8: ['green', 'white'],
    }
    for (const [orientation, corners] of Object.entries(upright)) {
      const jpeg = await quarters()
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer()
      const [image] = await posted(Ann, asFile(jpeg, 'photo.jpg'))
      const [width, height] = Number(orientation) < 5 ? [64, 32] : [32, 64]
      expect(image, orientation).toMatchObject({ width, height })
      const bytes = await fetched(Ann, image!.path)
      expect([await colourAt(bytes, 8, 8), await colourAt(bytes, width - 8, 8)], orientation).toEqual(corners)
    }
  })

  test('keep nothing of what a camera wrote into them: neither place nor name', async () => {
    const { Ann } = await open()
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>Secret Name</rdf></x:xmpmeta>'
    const labelled = (picture: Sharp) =>
      picture
        .withExif({
          IFD0: { Artist: 'Secret Name' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 40/1 0/1' },
        })
        .withXmp(xmp)
        .withIccProfile('p3')
    const jpeg = await labelled(quarters(800, 400)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const png = await labelled(quarters(800, 400)).png().toBuffer()
    const webp = await labelled(frames(400, 200)).webp().toBuffer()
    for (const bytes of [jpeg, png, webp]) expect(bytes.includes('Secret Name')).toBe(true)
    const images = await posted(Ann, asFile(jpeg, '1.jpg'), asFile(png, '2.png'), asFile(webp, '3.webp'))
    const face = await Ann.post('/api/profile-image', form({}, { image: [asFile(jpeg, 'me.jpg')] }))
    const paths = images.flatMap((image) => [
      image.path,
      image.full,
      ...candidates(image).map(({ path }) => path),
    ])
    for (const path of [
      ...paths,
      face.body.profile_image,
      face.body.profile_image.replace('-256.', '-96.'),
    ]) {
      const bytes = await fetched(Ann, path)
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, iptc, icc, orientation }, path).toEqual({})
      for (const word of ['Secret', 'GPS', 'EXIF', 'Exif', 'ICCP'])
        expect(bytes.includes(word), `${word} in ${path}`).toBe(false)
    }
  })

  test('keep their colours from CMYK, sixteen bits, a wide profile and grey, and stay see-through', async () => {
    const { Ann } = await open()
    const grey = sharp(Buffer.alloc(64 * 32, 120), { raw: { width: 64, height: 32, channels: 1 } })
    const clear = sharp({
      create: { width: 64, height: 32, channels: 4, background: { r: 220, g: 40, b: 40, alpha: 0.5 } },
    })
    const coloured = await posted(
      Ann,
      asFile(await quarters().toColourspace('cmyk').jpeg().toBuffer(), 'print.jpg'),
      asFile(await quarters().toColourspace('rgb16').png().toBuffer(), 'deep.png'),
      asFile(await quarters().withIccProfile('p3').jpeg().toBuffer(), 'phone.jpg'),
    )
    for (const { path } of coloured) {
      const bytes = await fetched(Ann, path)
      expect([
        await colourAt(bytes, 8, 8),
        await colourAt(bytes, 56, 8),
        await colourAt(bytes, 8, 24),
      ]).toEqual(['red', 'green', 'blue'])
    }
    const [plain, glass] = await posted(
      Ann,
      asFile(await grey.toColourspace('b-w').png().toBuffer(), 'grey.png'),
      asFile(await clear.png().toBuffer(), 'glass.png'),
    )
    const [r, g, b] = await pixelOf(await fetched(Ann, plain!.path), 30, 16)
    for (const value of [r, g, b]) expect(Math.abs(value! - 120)).toBeLessThan(6)
    const shade = await pixelOf(await fetched(Ann, glass!.path), 30, 16)
    expect(shade).toHaveLength(4)
    expect(Math.abs(shade[3]! - 128)).toBeLessThan(6)
  })

  test.each(['gif', 'webp'] as const)(
    'move as animated %s; what a list shows beside stands still',
    async (format) => {
      const { Ann } = await open()
      const bytes = await frames(400, 200)
        [format]({ delay: [80, 80, 80] })
        .toBuffer()
      const [image] = await posted(Ann, asFile(bytes, `dance.${format}`))
      expect(image).toMatchObject({ width: 400, height: 200, animated: true })
      const moving = await sharp(await fetched(Ann, image!.path)).metadata()
      expect(moving).toMatchObject({ pages: 3, width: 400, height: 200, delay: [80, 80, 80] })
      expect((await sharp(await fetched(Ann, image!.full)).metadata()).pages).toBe(3)
      const stills = candidates(image!)
      expect(stills.length).toBeGreaterThan(0)
      for (const { path, width } of stills) {
        const still = await fetched(Ann, path)
        const about = await sharp(still).metadata()
        expect([about.pages ?? 1, about.width]).toEqual([1, width])
        expect(await colourAt(still, 8, 8)).toBe('red')
      }
    },
  )

  test('come in the widths that their srcset says, never wider than they were', async () => {
    const { Ann } = await open()
    const images = await posted(
      Ann,
      asFile(await quarters(3000, 1500).jpeg().toBuffer(), 'large.jpg'),
      asFile(await quarters(500, 333).png().toBuffer(), 'small.png'),
    )
    expect(images.map((image) => candidates(image).map(({ width }) => width))).toEqual([
      [320, 640, 960, 1280, 2048],
      [320, 500],
    ])
    expect(images).toMatchObject([
      { width: 1280, height: 640 },
      { width: 500, height: 333 },
    ])
    for (const image of images) {
      const shown = await sharp(await fetched(Ann, image.path)).metadata()
      expect([shown.width, shown.height]).toEqual([image.width, image.height])
      for (const { path, width } of candidates(image))
        expect((await sharp(await fetched(Ann, path)).metadata()).width).toBe(width)
      expect(candidates(image).map(({ path }) => path)).toContain(image.full)
    }
  })

  test('may be one pixel, a long strip or a tower: width and height are those of the file', async () => {
    const { Ann } = await open()
    const images = await posted(
      Ann,
      asFile(await quarters(1, 1).png().toBuffer(), 'dot.png'),
      asFile(await quarters(10_000, 20).png().toBuffer(), 'strip.png'),
      asFile(await quarters(20, 10_000).png().toBuffer(), 'tower.png'),
      asFile(await quarters(1999, 1001).jpeg().toBuffer(), 'odd.jpg'),
    )
    expect(images[0]).toMatchObject({ width: 1, height: 1 })
    expect(images[1]).toMatchObject({ width: 1280 })
    for (const image of images) {
      const { width, height } = await sharp(await fetched(Ann, image.path)).metadata()
      expect([image.width, image.height]).toEqual([width, height])
    }
  })

  test('may be of exactly the most bytes that are allowed', async () => {
    const { Ann } = await open()
    const [image] = await posted(
      Ann,
      asFile(padded(await quarters().jpeg().toBuffer(), 10 * 2 ** 20), 'heavy.jpg'),
    )
    expect(image).toMatchObject({ width: 64, height: 32 })
  })

  test('keep their order, and each its description', async () => {
    const { Ann } = await open()
    const files = [100, 200, 300, 400].map(async (width) =>
      asFile(await quarters(width, 50).png().toBuffer(), `${width}.png`),
    )
    const alt = [' a hundred ', '', '三百', 'd'.repeat(1000)]
    const answer = await Ann.post(
      '/api/posts',
      form({ text: 'four', 'alt[]': alt }, { 'images[]': await Promise.all(files) }),
    )
    const images: Image[] = answer.body.post.images
    expect(images.map(({ width }) => width)).toEqual([100, 200, 300, 400])
    expect(images.map((image) => image.alt)).toEqual(['a hundred', null, '三百', alt[3]])
    expect((await Ann.get('/api/posts')).body[0].images).toEqual(images)
  })

  test('may have any name: it is written nowhere', async () => {
    const { Ann, folder } = await open()
    const png = await quarters().png().toBuffer()
    const names = [
      'a "quoted" \'name\'.png',
      '../../etc/passwd',
      '写真 🐈.png',
      'x'.repeat(400),
      '<b>.png',
      'C:\\me\\cat.png',
      'new\r\nline.png',
    ]
    for (const name of names) expect(await posted(Ann, asFile(png, name)), name).toHaveLength(1)
    const kept = (await readdir(folder)).filter((name) => !name.startsWith('engawa.db'))
    expect(kept.sort()).toEqual([
      'mail',
      'media',
      'orphans',
      'pusher-secret',
      'scratch',
      'secret',
      'setup-code',
    ])
    const files = await readdir(join(folder, 'media'))
    expect(files).toHaveLength(names.length)
    for (const file of files) expect(file).toMatch(/^[0-9a-f]{40}-64\.webp$/)
  })

  test.each(['..', 'folder/', ''])('count even when nothing is left of the name %j', async (name) => {
    const { Ann } = await open()
    const answer = await Ann.post(
      '/api/posts',
      form({ text: 'Look!' }, { 'images[]': [asFile(await quarters().png().toBuffer(), name)] }),
    )
    expect(answer).toMatchObject({ status: 201, body: { post: { images: [{ width: 64, height: 32 }] } } })
  })

  test('are none where a browser sends the field of a form that nobody touched', async () => {
    const { Ann } = await open()
    const answer = await Ann.post(
      '/api/posts',
      form({ text: 'Words alone' }, { 'images[]': [asFile('', '')] }),
    )
    expect(answer).toMatchObject({ status: 201, body: { post: { body: 'Words alone', images: [] } } })
  })
})
