import axios from 'axios'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startServer } from '#tests/server.ts'

interface Icon {
  src: string
  sizes: string
  type: string
  purpose: string
}

const pixels = async (bytes: Buffer) => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4).toString('hex')
  return { width: info.width, height: info.height, at }
}

test('every icon that a page or the manifest names is served, in its size', async () => {
  const server = await startServer({ APP_NAME: '村' })
  const get = (path: string) => axios.get(path, { baseURL: server.url, responseType: 'arraybuffer' })
  const manifest = JSON.parse((await get('/site.webmanifest')).data) as { name: string; icons: Icon[] }
  expect(manifest.name).toBe('村')
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    'any any',
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes, type } of manifest.icons) {
    const { headers, data } = await get(src)
    expect(headers['content-type'], src).toContain(type)
    const { width, height } = await sharp(data).metadata()
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes)
  }
  const page = (await get('/login')).data.toString()
  const touch = /<link rel="apple-touch-icon" href="(.*?)">/.exec(page)![1]!
  const { headers, data } = await get(touch)
  expect(headers['content-type']).toBe('image/png')
  expect(await sharp(data).metadata()).toMatchObject({ width: 180, height: 180, hasAlpha: false })

  const { width, at } = await pixels((await get(manifest.icons[3]!.src)).data)
  const outside = new Set<string>()
  for (let x = 0; x < width; x++)
    for (let y = 0; y < width; y++)
      if (Math.hypot(x - width / 2, y - width / 2) > width * 0.4) outside.add(at(x, y))
  expect([...outside], 'the drawing stays in the circle that no system cuts off').toEqual(['28634fff'])
  await server.stop()
})
