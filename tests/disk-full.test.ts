import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { axiosFile, axiosForm, axiosMember, axiosVisitor, expectError, pictureBytes } from '#tests/sanctum.ts'
import { failedStart, serverFolder, startServer } from '#tests/server.ts'

/**
 * Mounts a small file system in memory with this size. Returns its folder, a function that fills it, and a
 * function that frees it again.
 */
async function smallDisk(megabytes: number) {
  const folder = join(await serverFolder(), 'disk')
  await mkdir(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      for (const size of [2 ** 20, 2 ** 14, 4096]) {
        const more = () => writeFile(ballast, Buffer.alloc(size), { flag: 'a' })
        while (
          await more().then(
            () => true,
            () => false,
          )
        );
      }
    },
    free: () => rm(ballast),
  }
}

/**
 * Whether this process runs as root, which mounting a small disk needs. If it does not, these tests are
 * skipped.
 */
const mayMount = process.getuid?.() === 0

test.skipIf(!mayMount)(
  'on a full disk, writes get 507 and change nothing, and reads work; with free space everything works again',
  async () => {
    const disk = await smallDisk(32)
    const server = await startServer({
      DATA_DIR: disk.folder,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    })
    const ann = await axiosMember(server.url, 'Ann')
    const ben = await axiosMember(server.url, 'Ben')
    await ann.http.post(`/api/follow/${ben.id}`)
    const photo = axiosFile(await pictureBytes(1600, 1200, 'jpeg'), 'photo.jpg')
    const withPicture = (text: string) => axiosForm({ text, 'images[]': [photo] })
    const before = (await ann.http.post('/api/posts', withPicture('Before'))).data.post
    const media = () => readdirSync(join(disk.folder, 'media')).sort()
    const files = media()

    await disk.fill()
    const writes = {
      post: (n: number) => ann.http.post('/api/posts', axiosForm({ text: `Post ${n}` })),
      message: (n: number) =>
        ann.http.post('/api/send-private-message', { input: `Message ${n}`, targetUserId: ben.id }),
      profile: (n: number) =>
        ann.http.post('/api/profile', { name: 'Ann', bio: `Bio ${n} ${'x'.repeat(900)}` }),
      picture: (n: number) => ann.http.post('/api/posts', withPicture(`Picture ${n}`)),
      face: () => ann.http.post('/api/profile-image', axiosForm({ image: photo })),
      registration: (n: number) => {
        const newcomer = axiosVisitor(server.url)
        const account = {
          name: 'Eve',
          email: `eve${n}@engawa.example`,
          password: 'correct horse',
          password_confirmation: 'correct horse',
        }
        return newcomer.csrf().then(() => newcomer.http.post('/api/register', account))
      },
    }
    const kept: Record<string, number> = {}
    for (const [name, write] of Object.entries(writes)) {
      // Repeats the write until the disk is full. The first writes may succeed, because the database has
      // reserved some space.
      for (let n = 0; ; n++) {
        const answer = await write(n)
        if (answer.status < 300) kept[name] = n + 1
        else {
          expectError(answer, 507)
          break
        }
        expect(n, name).toBeLessThan(2000)
      }
    }
    expect(kept.picture, 'a picture needs room').toBeUndefined()
    expect(media(), 'no file of a post that is not there').toEqual(files)
    expect(await readdir(join(disk.folder, 'scratch'))).toEqual([])

    for (const path of [
      '/',
      '/api/posts',
      `/api/messages/${ben.id}`,
      '/api/user',
      new URL(before.images[0].path, server.url).pathname,
      '/healthz',
    ])
      expect((await ann.http.get(path)).status, path).toBe(200)
    const shown = (await ann.http.get('/api/posts?limit=100')).data as { body: string }[]
    expect(shown.filter(({ body }) => body.startsWith('Picture'))).toEqual([])
    expect(shown.filter(({ body }) => body.startsWith('Post'))).toHaveLength(Math.min(kept.post ?? 0, 100))

    // A check that succeeded counts for five seconds, and one row may still fit where a larger one did not.
    const isReady = async () => {
      await writes.profile(0)
      return (await ann.http.get('/readyz')).status
    }
    await expect.poll(isReady, { message: 'the database cannot be written to' }).toBe(503)

    await disk.free()
    for (const write of Object.values(writes)) expect((await write(9999)).status).toBeLessThan(300)
    expect(await server.stop()).toBe(0)
    const database = new DatabaseSync(join(disk.folder, 'engawa.db'), { readOnly: true })
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
  },
)

test.skipIf(!mayMount)(
  'pictures and files are refused before the disk is full, and a reserve keeps texts and log-ins working',
  async () => {
    const disk = await smallDisk(128)
    const server = await startServer({
      DATA_DIR: disk.folder,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      MIN_FREE_MB: '64',
    })
    const reserve = join(disk.folder, 'reserve')
    const ann = await axiosMember(server.url, 'Ann')
    const { group } = (await ann.http.post('/api/groups', { name: 'Club' })).data
    const connection = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => connection.destroy())
    /** Posts a form on one connection. Resolves to the status. */
    const post = async (path: string, fields: Parameters<typeof axiosForm>[0]) => {
      const form = new Request(server.url, { method: 'POST', body: axiosForm(fields) })
      const headers = {
        'content-type': form.headers.get('content-type')!,
        cookie: ann.cookieHeader(),
        'x-xsrf-token': decodeURIComponent(ann.token()!.value),
      }
      const sent = request(new URL(path, server.url), { method: 'POST', agent: connection, headers })
      sent.end(Buffer.from(await form.arrayBuffer()))
      const [response] = await once(sent, 'response')
      response.resume()
      return response.statusCode as number
    }
    const send = (file: File) =>
      post('/api/group-messages/send', { group_id: String(group.id), message: 'Here', 'files[]': file })
    const pdf = (bytes: number) => axiosFile(`%PDF-1.7\n${'x'.repeat(bytes)}`, 'letter.pdf')
    expect(await send(pdf(100))).toBe(200)
    await vi.waitFor(() => expect(existsSync(reserve)).toBe(true), { timeout: 20_000 })

    await writeFile(join(disk.folder, 'other'), Buffer.alloc(72e6))
    // The next request on the same connection does not wait for the rest of the file that is refused.
    expect(await send(pdf(20e6))).toBe(507)
    expect(await post('/api/posts', { text: 'Only text' })).toBe(201)
    expectError(await ann.http.post('/api/account/export', {}), 507)

    await disk.fill()
    await vi.waitFor(() => expect(existsSync(reserve)).toBe(false), { timeout: 20_000 })
    expect((await ann.http.get('/readyz')).status).toBe(200)
    const ben = await axiosMember(server.url, 'Ben')
    expect((await ben.http.post('/api/posts', { text: 'Still here' })).status).toBe(201)
    expect(server.logs()).toContain('the reserve was released')

    await disk.free()
    await rm(join(disk.folder, 'other'))
    await vi.waitFor(() => expect(existsSync(reserve)).toBe(true), { timeout: 20_000 })
    expect(await send(pdf(100))).toBe(200)
  },
)

test.skipIf(!mayMount)(
  'uploads at the same time are stopped where the kept part of the disk begins, and leave nothing there',
  async () => {
    const disk = await smallDisk(128)
    const server = await startServer({
      DATA_DIR: disk.folder,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      MIN_FREE_MB: '64',
    })
    const reserve = join(disk.folder, 'reserve')
    const ann = await axiosMember(server.url, 'Ann')
    const { group } = (await ann.http.post('/api/groups', { name: 'Club' })).data
    await vi.waitFor(() => expect(existsSync(reserve)).toBe(true), { timeout: 20_000 })
    const free = () => {
      const { bavail, bsize } = statfsSync(disk.folder)
      return bavail * bsize
    }
    const scratch = () => readdirSync(join(disk.folder, 'scratch'))
    const written = () => scratch().map((name) => statSync(join(disk.folder, 'scratch', name)).size)

    /** Begins an upload of 30 MB. Resolves to a function that sends its rest, once the first 5 MB are written. */
    async function begin() {
      const file = axiosFile(`%PDF-1.7\n${'x'.repeat(30e6)}`, 'letter.pdf')
      const fields = { group_id: String(group.id), message: 'Here', 'files[]': file }
      const form = new Request(server.url, { method: 'POST', body: axiosForm(fields) })
      const headers = {
        'content-type': form.headers.get('content-type')!,
        cookie: ann.cookieHeader(),
        'x-xsrf-token': decodeURIComponent(ann.token()!.value),
      }
      const bytes = Buffer.from(await form.arrayBuffer())
      const url = new URL('/api/group-messages/send', server.url)
      const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': bytes.length } })
      const answer = once(sent, 'response').then(([response]) => {
        response.resume()
        return response.statusCode as number
      })
      sent.on('error', () => {})
      sent.write(bytes.subarray(0, 5e6))
      return () => {
        sent.end(bytes.subarray(5e6))
        return answer
      }
    }
    const before = free()
    const uploads = [await begin(), await begin(), await begin()]
    await vi.waitFor(
      () => {
        expect(written()).toHaveLength(3)
        expect(Math.min(...written())).toBeGreaterThan(4e6)
      },
      { timeout: 20_000 },
    )
    // Each of the three has found room; all together do not have it.
    expect(before - 90e6).toBeLessThan(64e6)
    const statuses = await Promise.all(uploads.map((end) => end()))
    expect(statuses).toContain(507)
    expect(free()).toBeGreaterThan(64e6 - 3 * 4 * 2 ** 20)
    await vi.waitFor(() => expect(scratch()).toEqual([]), { timeout: 20_000 })
    expect((await ann.http.post('/api/posts', axiosForm({ text: 'Still' }))).status).toBe(201)
  },
)

test.skipIf(!mayMount)('a start on a full disk is refused in one line', async () => {
  const disk = await smallDisk(4)
  await disk.fill()
  const { code, output } = await failedStart({ DATA_DIR: disk.folder })
  expect(code).toBe(1)
  expect(output).toMatch(/^DATA_DIR takes a folder that can be written to|^The disk of DATA_DIR is full/m)
  expect(output).not.toMatch(/\bat \S+ \(/)
})
