import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { createTestApp, formData, type TestClient } from '#tests/harness.ts'
import {
  animatedPicture,
  fourColours,
  nearestColour,
  padWithZeros,
  readPixel,
  type TestColourName,
  uploadFile,
} from '#tests/pictures.ts'

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

async function posted(actor: TestClient, ...files: File[]): Promise<Image[]> {
  const answer = await actor.post('/api/posts', formData({}, { 'images[]': files }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post.images
}

/** Requests a picture, expects a WebP file, and returns its bytes. */
async function fetched(actor: TestClient, path: string): Promise<Buffer> {
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

  // spec: 7.13
  test('are accepted as JPEG, PNG, WebP, AVIF and GIF, and shown as they are', async () => {
    const { Ann } = await open()
    const picturesByFileName = {
      'one.jpg': await fourColours().jpeg().toBuffer(),
      'two.png': await fourColours().png().toBuffer(),
      'three.webp': await fourColours().webp().toBuffer(),
      'four.avif': await fourColours().avif({ effort: 0 }).toBuffer(),
      'five.gif': await fourColours().gif().toBuffer(),
    }
    const files = Object.entries(picturesByFileName).map(([name, bytes]) => uploadFile(bytes, name))
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
        nearestColour(bytes, 8, 8),
        nearestColour(bytes, 56, 8),
        nearestColour(bytes, 8, 24),
        nearestColour(bytes, 56, 24),
      ]
      expect(await Promise.all(corners)).toEqual(['red', 'green', 'blue', 'white'])
    }
  })

  test('are recognised by content, whatever their name and declared type', async () => {
    const { Ann } = await open()
    const png = await fourColours().png().toBuffer()
    const images = await posted(
      Ann,
      uploadFile(png, 'x.jpg', 'image/gif'),
      uploadFile(png, 'page.html', 'text/html'),
      uploadFile(png, 'bare', ''),
    )
    expect(images).toMatchObject([{ width: 64 }, { width: 64 }, { width: 64 }])
  })

  test('are upright in each of the eight EXIF orientations', async () => {
    const { Ann } = await open()
    const upright: Record<number, [TestColourName, TestColourName]> = {
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
      const jpeg = await fourColours()
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer()
      const [image] = await posted(Ann, uploadFile(jpeg, 'photo.jpg'))
      const [width, height] = Number(orientation) < 5 ? [64, 32] : [32, 64]
      expect(image, orientation).toMatchObject({ width, height })
      const bytes = await fetched(Ann, image!.path)
      expect(
        [await nearestColour(bytes, 8, 8), await nearestColour(bytes, width - 8, 8)],
        orientation,
      ).toEqual(corners)
    }
  })

  test('keep no metadata of the camera, neither place nor name', async () => {
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
    const jpeg = await labelled(fourColours(800, 400)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const png = await labelled(fourColours(800, 400)).png().toBuffer()
    const webp = await labelled(animatedPicture(400, 200)).webp().toBuffer()
    for (const bytes of [jpeg, png, webp]) expect(bytes.includes('Secret Name')).toBe(true)
    const images = await posted(
      Ann,
      uploadFile(jpeg, '1.jpg'),
      uploadFile(png, '2.png'),
      uploadFile(webp, '3.webp'),
    )
    const face = await Ann.post('/api/profile-image', formData({}, { image: [uploadFile(jpeg, 'me.jpg')] }))
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

  test('keep their colours from CMYK, 16 bit, wide-gamut and grey files, and their transparency', async () => {
    const { Ann } = await open()
    const grey = sharp(Buffer.alloc(64 * 32, 120), { raw: { width: 64, height: 32, channels: 1 } })
    const clear = sharp({
      create: { width: 64, height: 32, channels: 4, background: { r: 220, g: 40, b: 40, alpha: 0.5 } },
    })
    const coloured = await posted(
      Ann,
      uploadFile(await fourColours().toColourspace('cmyk').jpeg().toBuffer(), 'print.jpg'),
      uploadFile(await fourColours().toColourspace('rgb16').png().toBuffer(), 'deep.png'),
      uploadFile(await fourColours().withIccProfile('p3').jpeg().toBuffer(), 'phone.jpg'),
    )
    for (const { path } of coloured) {
      const bytes = await fetched(Ann, path)
      expect([
        await nearestColour(bytes, 8, 8),
        await nearestColour(bytes, 56, 8),
        await nearestColour(bytes, 8, 24),
      ]).toEqual(['red', 'green', 'blue'])
    }
    const [plain, glass] = await posted(
      Ann,
      uploadFile(await grey.toColourspace('b-w').png().toBuffer(), 'grey.png'),
      uploadFile(await clear.png().toBuffer(), 'glass.png'),
    )
    const [r, g, b] = await readPixel(await fetched(Ann, plain!.path), 30, 16)
    for (const value of [r, g, b]) expect(Math.abs(value! - 120)).toBeLessThan(6)
    const shade = await readPixel(await fetched(Ann, glass!.path), 30, 16)
    expect(shade).toHaveLength(4)
    expect(Math.abs(shade[3]! - 128)).toBeLessThan(6)
  })

  test.each(['gif', 'webp'] as const)(
    'stay animated as %s; the candidates for lists are still images',
    async (format) => {
      const { Ann } = await open()
      const bytes = await animatedPicture(400, 200)
        [format]({ delay: [80, 80, 80] })
        .toBuffer()
      const [image] = await posted(Ann, uploadFile(bytes, `dance.${format}`))
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
        expect(await nearestColour(still, 8, 8)).toBe('red')
      }
    },
  )

  test('exist in the widths of their srcset, never wider than the original', async () => {
    const { Ann } = await open()
    const images = await posted(
      Ann,
      uploadFile(await fourColours(3000, 1500).jpeg().toBuffer(), 'large.jpg'),
      uploadFile(await fourColours(500, 333).png().toBuffer(), 'small.png'),
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

  test('may have extreme sizes; width and height are those of the file', async () => {
    const { Ann } = await open()
    const images = await posted(
      Ann,
      uploadFile(await fourColours(1, 1).png().toBuffer(), 'dot.png'),
      uploadFile(await fourColours(10_000, 20).png().toBuffer(), 'strip.png'),
      uploadFile(await fourColours(20, 10_000).png().toBuffer(), 'tower.png'),
      uploadFile(await fourColours(1999, 1001).jpeg().toBuffer(), 'odd.jpg'),
    )
    expect(images[0]).toMatchObject({ width: 1, height: 1 })
    expect(images[1]).toMatchObject({ width: 1280 })
    for (const image of images) {
      const { width, height } = await sharp(await fetched(Ann, image.path)).metadata()
      expect([image.width, image.height]).toEqual([width, height])
    }
  })

  test('may have exactly the maximum number of bytes', async () => {
    const { Ann } = await open()
    const [image] = await posted(
      Ann,
      uploadFile(padWithZeros(await fourColours().jpeg().toBuffer(), 10 * 2 ** 20), 'heavy.jpg'),
    )
    expect(image).toMatchObject({ width: 64, height: 32 })
  })

  test('keep their order and their descriptions', async () => {
    const { Ann } = await open()
    const files = [100, 200, 300, 400].map(async (width) =>
      uploadFile(await fourColours(width, 50).png().toBuffer(), `${width}.png`),
    )
    const alt = [' a hundred ', '', '三百', 'd'.repeat(1000)]
    const answer = await Ann.post(
      '/api/posts',
      formData({ text: 'four', 'alt[]': alt }, { 'images[]': await Promise.all(files) }),
    )
    const images: Image[] = answer.body.post.images
    expect(images.map(({ width }) => width)).toEqual([100, 200, 300, 400])
    expect(images.map((image) => image.alt)).toEqual(['a hundred', null, '三百', alt[3]])
    expect((await Ann.get('/api/posts')).body[0].images).toEqual(images)
  })
})
