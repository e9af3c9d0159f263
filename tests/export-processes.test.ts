import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { type RegisteredMember, registerMember } from '#tests/sanctum.ts'
import { createServerTemporaryFolder, startServer } from '#tests/server.ts'
import { readZip } from '#tests/zip.ts'

vi.setConfig({ testTimeout: 300_000 })

const patient = { timeout: 120_000, interval: 20 }
const MB = 2 ** 20

interface CommunitySize {
  posts: number
  pictures: number
  /** The size of each picture. */
  pictureBytes: number
}

/**
 * Creates a data folder with a member who has so many posts and pictures. Returns a function that starts it.
 */
async function createCommunity(size: CommunitySize) {
  const folder = await createServerTemporaryFolder()
  const env = { DATA_DIR: folder, RATE_LIMIT: 'off' }
  const server = await startServer(env)
  const ana = await registerMember(server.url, 'Ana')
  await server.stop()
  await addPosts(folder, ana.id, size)
  return { folder, email: ana.email, start: () => startServer(env) }
}

/** Adds posts by SQL, because requests for so many would take minutes. All pictures share their bytes. */
async function addPosts(folder: string, member: number, { posts, pictures, pictureBytes }: CommunitySize) {
  const webp = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
    .webp()
    .toBuffer()
  const original = join(folder, 'original.webp')
  await writeFile(original, Buffer.concat([webp, Buffer.alloc(Math.max(0, pictureBytes - webp.length), 1)]))
  const database = new DatabaseSync(join(folder, 'engawa.db'))
  const at = new Date().toISOString()
  const addPost = database.prepare('insert into posts (user_id, body, created_at) values (?, ?, ?)')
  const addMedia = database.prepare(
    `insert into media (name, widths, width, height, placeholder, animated, bytes, created_at)
      values (?, '64', 64, 64, '', 0, ?, ?)`,
  )
  const addImage = database.prepare('insert into post_images (post_id, position, media) values (?, 0, ?)')
  database.exec('begin')
  for (let n = 0; n < posts; n++) {
    const { lastInsertRowid } = addPost.run(member, `Post ${n} ${'縁側 veranda '.repeat(40)}`, at)
    if (n >= pictures) continue
    const name = n.toString(16).padStart(40, '0')
    await link(original, join(folder, 'media', `${name}-64.webp`))
    addMedia.run(name, pictureBytes, at)
    addImage.run(lastInsertRowid, name)
  }
  database.exec('commit')
  database.close()
}

const exportFiles = (folder: string) => readdir(join(folder, 'exports'))

const waitUntilReady = (ana: RegisteredMember) =>
  vi.waitFor(
    async () => expect((await ana.http.get('/api/account/export')).data.export.state).toBe('ready'),
    patient,
  )

async function logIn(url: string, email: string) {
  const { createVisitor } = await import('#tests/sanctum.ts')
  const ana = createVisitor(url)
  expect((await ana.logIn(email)).status).toBe(204)
  return ana as unknown as RegisteredMember
}

test('an export that is killed starts again, and leaves only its archive', async () => {
  const { folder, email, start } = await createCommunity({
    posts: 20_000,
    pictures: 200,
    pictureBytes: MB / 8,
  })
  const first = await start()
  const ana = await logIn(first.url, email)
  await ana.http.post('/api/account/export')
  const sizeOfPart = async () => {
    const part = (await exportFiles(folder)).find((file) => file.endsWith('.part'))
    return part ? (await stat(join(folder, 'exports', part))).size : 0
  }
  await vi.waitFor(async () => expect(await sizeOfPart()).toBeGreaterThan(MB), patient)
  await first.stop('SIGKILL')
  expect(await exportFiles(folder)).toEqual([expect.stringMatching(/^\d+-1-\w+\.part$/)])
  // The lease of the killed process ends after some minutes. The test does not wait for it.
  const database = new DatabaseSync(join(folder, 'engawa.db'))
  database.exec(`update jobs set run_at = created_at where kind = 'export'`)
  database.close()

  const next = await start()
  const again = await logIn(next.url, email)
  await waitUntilReady(again)
  expect(await exportFiles(folder)).toEqual([expect.stringMatching(/^\d+-2-\w+\.zip$/)])
  const { data } = await again.http.get('/api/account/export/archive', { responseType: 'arraybuffer' })
  const files = readZip(data)
  const { documents } = JSON.parse(files.get('data/index.json')!.toString())
  const posts = documents.find(({ data: [path] }: { data: string[] }) => path === 'data/posts.json')
  expect([posts.records, posts.pages.length, posts.data.length]).toEqual([20_000, 20, 20])
  expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toHaveLength(200)
  await next.stop()
})

test('an export of 10,000 posts with 2,000 pictures needs less than 300 MB, and others are served', async () => {
  const size = { posts: 10_000, pictures: 2000, pictureBytes: MB / 2 }
  const { email, start } = await createCommunity(size)
  const server = await start()
  const ana = await logIn(server.url, email)
  const memory = async (field: 'VmRSS' | 'VmHWM') => {
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
    return (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024) / MB
  }
  const ben = await registerMember(server.url, 'Ben')
  const before = await memory('VmRSS')
  await ana.http.post('/api/account/export')
  let served = 0
  for (let isReady = false; !isReady; ) {
    expect((await ben.http.get('/api/posts?limit=10')).status).toBe(200)
    expect((await ben.http.post('/api/posts', { text: 'meanwhile' })).status).toBe(201)
    const { state } = (await ana.http.get('/api/account/export')).data.export
    expect(['waiting', 'running', 'ready']).toContain(state)
    isReady = state === 'ready'
    served++
  }
  const growth = (await memory('VmHWM')) - before
  console.log(`The memory grew by at most ${Math.round(growth)} MB; ${served} rounds of requests were served`)
  expect(served).toBeGreaterThan(3)
  expect(growth).toBeLessThan(300)
  const { data } = await ana.http.get('/api/account/export')
  expect(data.export.bytes).toBeGreaterThan(size.pictures * size.pictureBytes)
  await server.stop()
})
