import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { migratedCommunity, startUnlimited } from '#tests/backup-helpers.ts'
import { deep } from '#tests/deep.ts'
import { type Dialect, databases, dialectsInTurn } from '#tests/harness.ts'
import { axiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { readZip } from '#tests/zip.ts'

vi.setConfig({ testTimeout: 300_000 })

const patient = { timeout: 120_000, interval: 20 }
const MB = 2 ** 20

interface CommunitySize {
  posts: number
  pictures: number
  /** The size of each picture file in bytes. */
  pictureBytes: number
}

/**
 * Creates a data folder for a community with one member, who has as many posts and pictures as `size` says.
 * Returns the folder, the email address of the member, a function that starts a server with this folder, and
 * one that opens its database.
 */
async function createCommunity(dialect: Dialect, size: CommunitySize) {
  const env = await migratedCommunity(dialect)
  const folder = env.DATA_DIR
  const start = () => startUnlimited(env)
  const openDatabase = async () =>
    env.DATABASE_URL ? openPostgres(env.DATABASE_URL) : openSqlite(join(folder, 'engawa.db'))
  const server = await start()
  const ana = await axiosMember(server.url, 'Ana')
  await server.stop()
  const database = await openDatabase()
  await addPosts(database.db, folder, ana.id, size)
  await database.close()
  return { folder, email: ana.email, start, openDatabase }
}

/** The number of rows that one SQL statement inserts. */
const BATCH = 500

/**
 * Inserts posts of a member with SQL, because creating so many with requests would take minutes. All pictures
 * are links to one file.
 */
async function addPosts(db: Db, folder: string, member: number, size: CommunitySize) {
  const { posts, pictures, pictureBytes } = size
  const webp = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
    .webp()
    .toBuffer()
  const original = join(folder, 'original.webp')
  await writeFile(original, Buffer.concat([webp, Buffer.alloc(Math.max(0, pictureBytes - webp.length), 1)]))
  const created_at = new Date().toISOString()
  const media = { widths: '64', width: 64, height: 64, placeholder: '', animated: 0, bytes: pictureBytes }
  for (let first = 0; first < posts; first += BATCH)
    await transaction(db, async (tx) => {
      const numbers = Array.from({ length: Math.min(BATCH, posts - first) }, (_, index) => first + index)
      const rows = numbers.map((n) => {
        return { user_id: member, body: `Post ${n} ${'縁側 veranda '.repeat(40)}`, created_at }
      })
      const ids = await tx.insertInto('posts').values(rows).returning('id').execute()
      const names = numbers.filter((n) => n < pictures).map((n) => n.toString(16).padStart(40, '0'))
      if (!names.length) return
      await tx
        .insertInto('media')
        .values(names.map((name) => ({ name, ...media, created_at })))
        .execute()
      const images = names.map((name, index) => ({ post_id: ids[index]!.id, position: 0, media: name }))
      await tx.insertInto('post_attachments').values(images).execute()
      for (const name of names) await link(original, join(folder, 'media', `${name}-64.webp`))
    })
}

type Visitor = ReturnType<typeof axiosVisitor>

const exportFiles = (folder: string) => readdir(join(folder, 'exports'))

const waitUntilReady = (ana: Visitor) =>
  vi.waitFor(
    async () => expect((await ana.http.get('/api/account/export')).data.export.state).toBe('ready'),
    patient,
  )

async function logIn(url: string, email: string) {
  const ana = axiosVisitor(url)
  expect((await ana.logIn(email)).status).toBe(204)
  return ana
}

describe.each(dialectsInTurn())('an export on %s', (dialect) => {
  test('that is killed starts again, and leaves only its archive', async () => {
    const posts = deep ? 20_000 : 4000
    const { folder, email, start, openDatabase } = await createCommunity(dialect, {
      posts,
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
    // Makes the job due at once, because the lease of the killed process would end only after some minutes.
    const { db, close } = await openDatabase()
    const due = { run_at: new Date().toISOString() }
    await transaction(db, (tx) => tx.updateTable('jobs').set(due).where('kind', '=', 'export').execute())
    await close()

    const next = await start()
    const again = await logIn(next.url, email)
    await waitUntilReady(again)
    expect(await exportFiles(folder)).toEqual([expect.stringMatching(/^\d+-2-\w+\.zip$/)])
    const { data } = await again.http.get('/api/account/export/archive', { responseType: 'arraybuffer' })
    const files = readZip(data)
    const { documents } = JSON.parse(files.get('data/index.json')!.toString())
    const list = documents.find(({ data: [path] }: { data: string[] }) => path === 'data/posts.json')
    expect([list.records, list.pages.length, list.data.length]).toEqual([posts, posts / 1000, posts / 1000])
    expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toHaveLength(200)
    await next.stop()
  })
})

// The memory does not depend on the database, so PostgreSQL is only in the deep stage.
describe.each(deep ? databases : (['sqlite'] as const))('an export on %s', (dialect) => {
  test('of more than 300 MB needs less memory than that, and others are served', async () => {
    const size = { posts: deep ? 10_000 : 2000, pictures: deep ? 2000 : 700, pictureBytes: MB / 2 }
    const { email, start } = await createCommunity(dialect, size)
    const server = await start()
    const ana = await logIn(server.url, email)
    const memory = async (field: 'VmRSS' | 'VmHWM') => {
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
      return (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024) / MB
    }
    const ben = await axiosMember(server.url, 'Ben')
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
      // Leaves the processor to the export.
      await sleep(50)
    }
    const growth = (await memory('VmHWM')) - before
    console.log(
      `The memory grew by at most ${Math.round(growth)} MB; ${served} rounds of requests were served`,
    )
    expect(served).toBeGreaterThan(3)
    expect(growth).toBeLessThan(300)
    const { data } = await ana.http.get('/api/account/export')
    expect(data.export.bytes).toBeGreaterThan(size.pictures * size.pictureBytes)
    await server.stop()
  })
})
