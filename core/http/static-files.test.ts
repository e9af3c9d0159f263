import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'

const script = `/* ${'A script that is long enough to be compressed. '.repeat(100)} */`
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const forms = { br: brotliCompressSync(script), gzip: gzipSync(script) }
const isImmutable = 'public, max-age=31536000, immutable'

/**
 * Starts an app for a test, whose folder of static files has scripts, with both compressed forms, and a
 * picture.
 */
async function serve(more: Record<string, Buffer> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-static-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'assets'))
  const scripts = ['assets/app.js', 'service-worker.js', 'offline.js', 'other.js']
  const files: Record<string, string | Buffer> = {
    'site.webmanifest': '{"icons":[]}',
    'icon.png': picture,
    'offline.html': '<!doctype html><title>Offline</title>',
    ...Object.fromEntries(
      scripts.flatMap((name) => [
        [name, script],
        [`${name}.br`, forms.br],
        [`${name}.gz`, forms.gzip],
      ]),
    ),
    ...more,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const { app } = await createTestApp({ staticFiles: folder })
  const send = (method: 'GET' | 'HEAD', url: string, headers: Record<string, string> = {}) =>
    app.inject({ method, url, headers })
  return {
    get: (url: string, headers?: Record<string, string>) => send('GET', url, headers),
    head: (url: string, headers?: Record<string, string>) => send('HEAD', url, headers),
    remove: (name: string) => rm(join(folder, name)),
  }
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['get']>>

/**
 * Returns the parts of a response that a test compares: the status, the body, and the headers that depend on
 * the file.
 */
function contentOf({ statusCode, headers, rawPayload }: Answer) {
  const names = ['cache-control', 'etag', 'last-modified', 'content-type', 'content-encoding'] as const
  const own = [...names, 'content-length', 'vary', 'accept-ranges', 'content-range'] as const
  return { statusCode, rawPayload, headers: Object.fromEntries(own.map((name) => [name, headers[name]])) }
}

const encodings = [
  ['br', 'br', forms.br],
  ['gzip, deflate, br', 'br', forms.br],
  ['gzip', 'gzip', forms.gzip],
  ['deflate, gzip;q=0.5', 'gzip', forms.gzip],
  ['*', 'gzip', forms.gzip],
  ['deflate', undefined, Buffer.from(script)],
  ['zstd', undefined, Buffer.from(script)],
  ['', undefined, Buffer.from(script)],
] as const

describe('static files', () => {
  test('a client gets the form of a file that it accepts, also when others have asked for other forms', async () => {
    const { get } = await serve()
    for (let round = 0; round < 2; round++)
      for (const [accepted, encoding, bytes] of encodings) {
        const { headers, rawPayload } = await get('/assets/app.js', { 'accept-encoding': accepted })
        const what = `Accept-Encoding: ${accepted}, round ${round}`
        expect(headers['content-encoding'], what).toBe(encoding)
        expect(rawPayload.equals(bytes), what).toBe(true)
        expect(headers['content-length'], what).toBe(String(bytes.length))
        expect(headers['content-type'], what).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
        expect(headers.vary, what).toMatch(/accept-encoding/)
      }
  })

  test.each(['br', 'gzip', 'identity'])(
    'caches ask before each use of the service worker, as %s',
    async (encoding) => {
      const { get } = await serve()
      const read = async (path: string) =>
        (await get(path, { 'accept-encoding': encoding })).headers['cache-control']
      for (let round = 0; round < 2; round++) {
        expect(await read('/service-worker.js')).toBe('no-cache')
        expect(await read('/offline.js')).toBe('no-cache')
        expect(await read('/offline.html')).toBe('no-cache')
        expect(await read('/other.js')).toBe('public, max-age=3600')
        expect(await read('/assets/app.js')).toBe(isImmutable)
      }
    },
  )

  test('scripts of pages have no headers that only pages and workers obey', async () => {
    const { get } = await serve()
    const policyOf = async (path: string) => (await get(path)).headers['content-security-policy']
    for (let round = 0; round < 2; round++) {
      const { headers } = await get('/assets/app.js')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['permissions-policy']).toBeUndefined()
      expect(await policyOf('/assets/app.js')).toBeUndefined()
      for (const path of ['/assets/none.js', '/service-worker.js', '/offline.html', '/icon.png'])
        expect(await policyOf(path), path).toContain("default-src 'self'")
    }
  })

  test.each([
    ['/assets/app.js', 'br'],
    ['/assets/app.js', 'identity'],
    ['/service-worker.js', 'gzip'],
    ['/icon.png', 'br'],
    ['/offline.html', 'zstd'],
  ])(
    '%s as %s: a later response, HEAD and 304 have the headers of the first response',
    async (url, encoding) => {
      const { get, head } = await serve()
      const accepted = { 'accept-encoding': encoding }
      const first = contentOf(await get(url, accepted))
      const later = contentOf(await get(`${url}?x=1`, accepted))
      expect(later).toEqual(first)
      expect(first.statusCode).toBe(200)
      const withoutBody = { ...first, rawPayload: Buffer.alloc(0) }
      expect(contentOf(await head(url, accepted))).toEqual(withoutBody)
      const etag = first.headers.etag as string
      for (const condition of [etag, `"x", ${etag}`, '*', etag.replace('W/', '')]) {
        const same = await get(url, { ...accepted, 'if-none-match': condition })
        expect(same.statusCode, condition).toBe(304)
        expect(same.rawPayload).toHaveLength(0)
        const kept = ['etag', 'cache-control', 'vary', 'last-modified'] as const
        for (const name of kept) expect(same.headers[name], name).toBe(first.headers[name])
      }
      const since = { 'if-modified-since': first.headers['last-modified'] as string }
      expect((await get(url, { ...accepted, ...since })).statusCode).toBe(304)
      const changed = { ...accepted, ...since, 'if-none-match': 'W/"x"' }
      expect((await get(url, changed)).statusCode).toBe(200)
      const reload = { ...accepted, 'if-none-match': etag, 'cache-control': 'no-cache' }
      expect((await get(url, reload)).statusCode).toBe(200)
    },
  )

  test('a range of a file is answered with 206, one beyond its end with 416', async () => {
    const { get } = await serve()
    for (let round = 0; round < 2; round++) {
      await get('/assets/app.js')
      const part = await get('/assets/app.js', { range: 'bytes=3-10' })
      expect(part.statusCode).toBe(206)
      expect(part.body).toBe(script.slice(3, 11))
      expect(part.headers['content-range']).toBe(`bytes 3-10/${script.length}`)
      const beyond = await get('/assets/app.js', { range: 'bytes=999999-' })
      expect(beyond.statusCode).toBe(416)
      const stale = await get('/assets/app.js', { range: 'bytes=3-10', 'if-range': 'W/"x"' })
      expect(stale.statusCode).toBe(200)
    }
  })

  test('a file that was sent once is answered from memory, a large one from the disk', async () => {
    const large = Buffer.alloc(600_000, 'x')
    const { get, remove } = await serve({ 'assets/large.js': large })
    expect((await get('/assets/large.js')).rawPayload.equals(large)).toBe(true)
    await get('/assets/app.js')
    await remove('assets/app.js')
    await remove('assets/large.js')
    const { body } = await get('/assets/app.js')
    expect(body === script, 'whether the script came').toBe(true)
    expect((await get('/assets/large.js')).statusCode).toBe(404)
  })

  test('the memory for files is bounded: the oldest make room for others', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `assets/${n}.js`)
    const half = Buffer.alloc(500_000, 'x')
    const { get, remove } = await serve(Object.fromEntries(names.map((name) => [name, half])))
    for (const name of names) expect((await get(`/${name}`)).statusCode).toBe(200)
    for (const name of names) await remove(name)
    const kept = await Promise.all(names.map(async (name) => (await get(`/${name}`)).statusCode))
    expect(kept.at(-1)).toBe(200)
    expect(kept[0]).toBe(404)
    expect(kept.filter((status) => status === 200).length).toBeLessThanOrEqual(16)
  })

  test('neither an encoded path nor an unknown file is kept or found', async () => {
    const { get, remove } = await serve()
    expect((await get('/assets/%61pp.js')).body).toBe(script)
    await remove('assets/app.js')
    expect((await get('/assets/%61pp.js')).statusCode).toBe(404)
    expect((await get('/assets/app.js')).statusCode).toBe(404)
    expect((await get('/assets/app.js.br')).statusCode).toBe(200)
    expect((await get('/assets//app.js')).statusCode).toBe(404)
  })
})
