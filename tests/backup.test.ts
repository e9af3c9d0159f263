import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#core/media/open-storage.ts'
import { type Dialect, dialects } from '#tests/harness.ts'
import { file, form, type Member, member, picture, visitor } from '#tests/sanctum.ts'
import { ahead, type Env, freshFolder, refusedStart, type Server, startServer } from '#tests/server.ts'
import { createDatabase, dropDatabase, s3Env, startS3 } from '#tests/services.ts'

// Whole processes, one after another, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000 })

// ── The command line, as a process that can be killed ───────────────────────

function run(env: Env, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(join(import.meta.dirname, '../bin/engawa'), args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const done = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  return { child, done }
}

async function engawa(env: Env, ...args: string[]) {
  const { code, output } = await run(env, ...args).done
  expect(code, output).toBe(0)
  return output
}

async function refused(says: string | RegExp, env: Env, ...args: string[]) {
  const { code, output } = await run(env, ...args).done
  expect(code, output).toBe(1)
  expect(output).toMatch(says)
  expect(output.trim().split('\n'), output).toHaveLength(1)
}

async function killed(child: ChildProcess, done: Promise<unknown>) {
  expect(child.exitCode, 'it was not over yet').toBeNull()
  child.kill('SIGKILL')
  await done
}

const placeIn = (output: string) => /^The backup is in (.+)$/m.exec(output)![1]!
const until = (holds: () => unknown) =>
  vi.waitFor(async () => expect(await holds()).toBeTruthy(), { timeout: 60_000, interval: 20 })
const names = async (folder: string) => (existsSync(folder) ? (await readdir(folder)).toSorted() : [])
const goodIn = async (folder: string) => (await names(folder)).filter((name) => /^\d{4}-/.test(name))

// ── Communities ─────────────────────────────────────────────────────────────

async function freshDatabase() {
  const url = await createDatabase(inject('postgres')!)
  onTestFinished(() => dropDatabase(url))
  return url
}

/** Where a new community of a database is to be. */
async function site(dialect: Dialect): Promise<Env & { DATA_DIR: string }> {
  const DATA_DIR = join(await freshFolder(), 'data')
  return { DATA_DIR, ...(dialect === 'postgres' && { DATABASE_URL: await freshDatabase() }) }
}

const serve = (env: Env) => startServer({ RATE_LIMIT: 'off', ...env })

let shade = 0
/** No two are the same, so that each has files of its own. */
const newPicture = async () =>
  file(await picture(40 + (++shade % 50), 30 + Math.floor(shade / 50)), `${shade}.png`)

async function post(who: Member, text: string, withPicture = false): Promise<number> {
  const answer = await who.http.post(
    '/api/posts',
    form({ text, ...(withPicture && { 'images[]': await newPicture() }) }),
  )
  expect(answer.status, JSON.stringify(answer.data)).toBe(201)
  return answer.data.post.id
}

/** A community with somebody who has posted, stopped again. */
async function settled(dialect: Dialect = 'sqlite', posts = 3) {
  const env = await site(dialect)
  const server = await serve(env)
  const ana = await member(server.url, 'Ana')
  const ids = []
  for (let n = 0; n < posts; n++) ids.push(await post(ana, `post ${n}`, true))
  await server.stop()
  return { env, ana, ids }
}

/** Serves from there, and shows these posts with their pictures to Ana, who logs in with her password. */
async function expectServed(env: Env, ana: Pick<Member, 'email'>, ids: readonly number[]) {
  const server = await serve(env)
  const again = visitor(server.url)
  expect((await again.logIn(ana.email)).status).toBe(204)
  for (const id of ids) {
    const { status, data } = await again.http.get(`/api/posts/${id}`)
    expect(status, `post ${id}`).toBe(200)
    for (const { path } of data.images) expect((await again.http.get(path)).status, path).toBe(200)
  }
  const newest = await post(
    { ...again, id: 0, name: 'Ana', email: ana.email } as Member,
    'after the restore',
    true,
  )
  expect(newest).toBeGreaterThan(Math.max(0, ...ids))
  await server.stop()
}

async function countsOf(
  { DATA_DIR, DATABASE_URL }: Env,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  if (DATABASE_URL) {
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    for (const name of tables)
      counts[name] = Number((await client.query(`select count(*) as n from ${name}`)).rows[0].n)
    await client.end()
  } else {
    const sqlite = new DatabaseSync(join(DATA_DIR!, 'engawa.db'))
    for (const name of tables)
      counts[name] = sqlite.prepare(`select count(*) as n from ${name}`).get()!.n as number
    sqlite.close()
  }
  return counts
}

const factsOf = async (place: string) => JSON.parse(await readFile(join(place, 'backup.json'), 'utf8'))

async function flipByte(path: string) {
  const handle = await open(path, 'r+')
  const { size } = await handle.stat()
  const at = Math.floor(size / 2)
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  await handle.write(Buffer.from([byte[0]! ^ 1]), 0, 1, at)
  await handle.close()
}

/** A file that nobody can read to its end until it is given back: whoever comes to it waits there. */
async function hold(path: string) {
  const bytes = await readFile(path)
  await rename(path, `${path}.held`)
  execFileSync('mkfifo', [path])
  return {
    /** Lets one reader have it, and not the next. */
    once: () => writeFile(path, bytes),
    giveBack: () => rename(`${path}.held`, path),
  }
}

describe.each(dialects)('a backup of %s', (dialect) => {
  test('made while people post and delete holds one moment, and is restored elsewhere', async () => {
    const env = await site(dialect)
    const server = await serve(env)
    const people = [
      await member(server.url, 'Ana'),
      await member(server.url, 'Ben'),
      await member(server.url, 'Chika'),
    ]
    const kept: number[] = []
    for (let n = 0; n < 6; n++) kept.push(await post(people[n % 3]!, `kept ${n}`, true))

    let busy = true
    const load = people.map(async (who) => {
      for (let n = 0; busy; n++) {
        const id = await post(who, `passing ${n}`, n % 2 === 0)
        if (n % 3) expect((await who.http.delete(`/api/posts/${id}`)).status).toBeLessThan(300)
      }
    })
    const out = await freshFolder()
    const both = async () => [
      placeIn(await engawa(env, 'backup', out)),
      placeIn(await engawa(env, 'backup', out)),
    ]
    const places = await both().finally(() => {
      busy = false
    })
    await Promise.all(load)
    await server.stop()
    expect((await names(out)).filter((name) => name.startsWith('.'))).toEqual([])

    // The pictures that the first holds are not held twice.
    const shared = (await names(join(places[0]!, 'media'))).filter((name) =>
      existsSync(join(places[1]!, 'media', name)),
    )
    expect(shared.length).toBeGreaterThanOrEqual(kept.length)
    for (const name of shared) expect((await stat(join(places[1]!, 'media', name))).nlink).toBe(2)

    for (const place of places) {
      const { tables, pictures, missing } = await factsOf(place)
      expect(missing).toEqual([])
      expect((await names(join(place, 'media'))).length).toBe(pictures.files)
      const elsewhere = await site('sqlite')
      await engawa(elsewhere, 'restore', place)
      const counts = Object.fromEntries(
        Object.entries(tables as Record<string, { rows: number }>).map(([name, { rows }]) => [name, rows]),
      )
      expect(await countsOf(elsewhere, Object.keys(tables))).toEqual(counts)
      await expectServed(elsewhere, people[0]!, kept)
    }
  })

  test('is restored into the same kind of database; with the secret, so that whoever was logged in still is', async () => {
    const { env, ana, ids } = await settled(dialect)
    const out = await freshFolder()
    const place = placeIn(await engawa(env, 'backup', out))
    const elsewhere = await site(dialect)
    await engawa(elsewhere, 'restore', place)
    expect(await readFile(join(elsewhere.DATA_DIR, 'secret'))).toEqual(
      await readFile(join(env.DATA_DIR, 'secret')),
    )
    const server = await serve(elsewhere)
    const cookie = ana.cookieHeader()
    expect((await visitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectServed(elsewhere, ana, ids)
  })

  test('does not go over what is there, unless it is told to; then that is laid aside', async () => {
    const { env, ana, ids } = await settled(dialect)
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const server = await serve(env)
    const again = visitor(server.url)
    await again.logIn(ana.email)
    const later = await post(
      { ...again, id: 0, name: 'Ana', email: ana.email } as Member,
      'after the backup',
      true,
    )
    await refused(/DATA_DIR is in use/, env, 'restore', place, '--overwrite')
    await server.stop()

    await refused(/DATA_DIR is not empty/, env, 'restore', place)
    if (env.DATABASE_URL)
      await refused(/DATABASE_URL holds/, { ...env, DATA_DIR: await freshFolder() }, 'restore', place)
    const said = await engawa(env, 'restore', place, '--overwrite')
    const aside = /^What was there before is in (.+)$/m.exec(said)![1]!
    const before = new DatabaseSync(join(aside, 'engawa.db'))
    expect(before.prepare('select body from posts where id = ?').get(later)).toEqual({
      body: 'after the backup',
    })
    before.close()
    expect((await names(join(aside, 'media'))).length).toBeGreaterThan((await factsOf(place)).pictures.files)
    await expectServed(env, ana, ids)
  })
})

describe('a damaged backup', () => {
  test('is refused, and the file is named, before anything is changed', async () => {
    const { env } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const aPicture = join('media', (await names(join(place, 'media')))[0]!)
    for (const name of ['engawa.db', aPicture, 'secret', 'SHA256SUMS', 'backup.json']) {
      const broken = join(await freshFolder(), 'broken')
      await cp(place, broken, { recursive: true })
      await flipByte(join(broken, name))
      const elsewhere = await site('sqlite')
      await refused(`damaged: ${name}`, elsewhere, 'restore', broken)
      expect(await names(elsewhere.DATA_DIR)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/engawa|media|secret|restoring/)]),
      )
    }
    const lacking = join(await freshFolder(), 'lacking')
    await cp(place, lacking, { recursive: true })
    await unlink(join(lacking, aPicture))
    await refused(/damaged: media/, await site('sqlite'), 'restore', lacking)
    await refused(/is no backup/, await site('sqlite'), 'restore', env.DATA_DIR)
  })

  test('is not built upon: a picture that has rotten in the one before is copied anew', async () => {
    const { env } = await settled()
    const out = await freshFolder()
    const first = placeIn(await engawa(env, 'backup', out))
    const [rotten, sound] = await names(join(first, 'media'))
    await flipByte(join(first, 'media', rotten!))
    const second = placeIn(await engawa(env, 'backup', out))
    expect((await stat(join(second, 'media', rotten!))).nlink).toBe(1)
    expect((await stat(join(second, 'media', sound!))).nlink).toBe(2)
    await engawa(await site('sqlite'), 'restore', second)
  })
})

describe('what is killed in the middle', () => {
  test('as a backup leaves nothing that looks good, and the next one is whole', async () => {
    const { env, ana, ids } = await settled()
    const out = await freshFolder()
    const media = join(env.DATA_DIR, 'media')
    const held = await hold(join(media, (await names(media))[1]!))
    const { child, done } = run(env, 'backup', out)
    const unfinished = async () =>
      (await names(out)).find((name) => name.startsWith('.unfinished-')) ?? 'none'
    await until(async () => (await names(join(out, await unfinished(), 'media'))).length > 0)
    await killed(child, done)
    expect(await goodIn(out)).toEqual([])
    await held.giveBack()
    const place = placeIn(await engawa(env, 'backup', out))
    expect(await names(out)).toEqual([place.slice(out.length + 1), 'lock'])
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', place)
    await expectServed(elsewhere, ana, ids)
  })

  test('as a restore can be run again, and nothing serves what is half there', async () => {
    const { env, ana, ids } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const held = await hold(join(place, 'media', (await names(join(place, 'media')))[1]!))
    const elsewhere = await site('sqlite')
    const { child, done } = run(elsewhere, 'restore', place)
    await held.once()
    await until(() => existsSync(join(elsewhere.DATA_DIR, 'restoring')))
    await killed(child, done)
    await held.giveBack()
    const refusal = await refusedStart(elsewhere)
    expect(refusal.code).toBe(1)
    expect(refusal.output).toMatch(/engawa restore/)
    await rm(join(elsewhere.DATA_DIR, 'secret'), { force: true })
    await rm(join(elsewhere.DATA_DIR, 'pusher-secret'), { force: true })
    await engawa(elsewhere, 'restore', place)
    await expectServed(elsewhere, ana, ids)
  })

  test('as a restore that was moving into its place goes on from there', async () => {
    const { env, ana, ids } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', place)
    const stage = join(elsewhere.DATA_DIR, 'restoring')
    await mkdir(stage)
    for (const name of ['engawa.db', 'secret'])
      await rename(join(elsewhere.DATA_DIR, name), join(stage, name))
    await writeFile(
      join(stage, 'ready'),
      JSON.stringify({ place, aside: join(elsewhere.DATA_DIR, 'before-restore-x') }),
    )
    await refusedStart(elsewhere).then(({ code }) => expect(code).toBe(1))
    await engawa(elsewhere, 'restore', place)
    expect(existsSync(stage)).toBe(false)
    await expectServed(elsewhere, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s', () => {
  test('carries everybody and everything; whoever was logged in still is; the source stays', async () => {
    const { env, ana, ids } = await settled('sqlite', 5)
    const before = await readFile(join(env.DATA_DIR, 'engawa.db'))
    const there = { ...env, DATABASE_URL: await freshDatabase() }
    const source = await serve(env)
    await refused(/DATA_DIR is in use/, there, 'move')
    await source.stop()
    expect(await engawa(there, 'move')).toMatch(/DATABASE_URL/)
    const { length } = await engawa(there, 'move')
    expect(length, 'again, it finds everything there').toBeGreaterThan(0)
    expect((await readFile(join(env.DATA_DIR, 'engawa.db'))).equals(before)).toBe(true)
    const tables = ['users', 'posts', 'post_images', 'media', 'sessions', 'products', 'migrations']
    expect(await countsOf(there, tables)).toEqual(await countsOf(env, tables))
    const server = await serve(there)
    const cookie = ana.cookieHeader()
    expect((await visitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectServed(there, ana, ids)
    await refused(/another community/, there, 'move')
    await refused(/^DATA_DIR was moved/, env, 'admin', 'list')
    expect((await refusedStart(env)).output).toMatch(/^DATA_DIR was moved/m)
  })

  test('that is killed in the middle leaves the target as it was, and can be run again', async () => {
    const { env, ana, ids } = await settled()
    const DATABASE_URL = await freshDatabase()
    const first = await serve({ DATABASE_URL })
    await first.stop()
    const there = { ...env, DATABASE_URL }
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    // Whoever wants to change this table waits, with half of the work done.
    await client.query('begin; lock table users in share mode')
    const { child, done } = run(there, 'move')
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await until(async () => (await client.query(waiting)).rowCount)
    await killed(child, done)
    await client.query('rollback')
    expect((await client.query('select count(*)::int as n from products')).rows[0].n).toBeGreaterThan(0)
    await client.end()
    await engawa(there, 'move')
    await expectServed(there, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a move to %s and a bucket', () => {
  test('carries the pictures too, again where it was broken off; a backup of it comes back into a folder', async () => {
    const { env, ana, ids } = await settled('sqlite', 5)
    const s3 = await startS3()
    onTestFinished(() => s3.stop())
    const there = { ...env, ...s3Env, DATABASE_URL: await freshDatabase(), MEDIA_URL: s3.mediaUrl }
    const media = join(env.DATA_DIR, 'media')
    const files = await names(media)
    const held = await hold(join(media, files.at(-1)!))
    const { child, done } = run(there, 'move')
    const inBucket = async () => {
      let count = 0
      for await (const _ of (
        await openStorage({ DATA_DIR: env.DATA_DIR, MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
      ).list())
        count++
      return count
    }
    await until(async () => (await inBucket()) > 0)
    await killed(child, done)
    await held.giveBack()
    expect(await engawa(there, 'move')).toMatch(new RegExp(`and ${files.length} pictures`))
    expect(await inBucket()).toBe(files.length)
    await rename(media, `${media} of the past`)
    await expectServed(there, ana, ids)

    const place = placeIn(await engawa(there, 'backup'))
    const home = await site('sqlite')
    await engawa(home, 'restore', place)
    await expectServed(home, ana, ids)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('a migration of %s', () => {
  test('with data begins with a snapshot, which is a SQLite database with all of it', async () => {
    const { env } = await settled('postgres')
    const snapshots = join(env.DATA_DIR, 'snapshots')
    expect(await names(snapshots), 'a first start has nothing to lose').toEqual([])
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(`drop table cart_items, products; delete from migrations where name like 'shop %'`)
    await client.end()
    await (await serve(env)).stop()
    const [copy, ...others] = await names(snapshots)
    expect(others).toEqual([])
    expect(copy).toMatch(/before shop 1\.db$/)
    const sqlite = new DatabaseSync(join(snapshots, copy!))
    expect(sqlite.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    expect(sqlite.prepare('select count(*) as n from posts').get()).toEqual({ n: 3 })
    sqlite.close()
    expect(await countsOf(env, ['posts'])).toEqual({ posts: 3 })
  })
})

// ── Every night ─────────────────────────────────────────────────────────────

const DAY = 24 * 3600 * 1000
describe('every night', () => {
  /** A time of day that has just passed, wherever this machine is. */
  const lately = () => {
    const moment = new Date(Date.now() - 60_000)
    return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  }
  const lastOf = async (server: Server, ana: Pick<Member, 'email'>) => {
    const client = visitor(server.url)
    await client.logIn(ana.email)
    return (await client.http.get('/api/admin/facts')).data.backup
  }

  test('one backup is made; missed nights are caught up once; older ones go, those made by hand stay', async () => {
    const { env, ana, ids } = await settled()
    const nightly = { ...env, BACKUP_AT: lately(), BACKUP_KEEP: '2' }
    const folder = join(env.DATA_DIR, 'backups')
    const byHand = placeIn(await engawa(env, 'backup')).slice(folder.length + 1)
    const seen = [byHand]
    for (const days of [0, 1, 6]) {
      const server = await serve({ ...nightly, ...ahead(days * DAY) })
      await until(async () => (await goodIn(folder)).some((name) => !seen.includes(name)))
      await until(() => /made and proved/.test(server.logs()))
      await until(async () => (await goodIn(folder)).length <= 3)
      seen.push(...(await goodIn(folder)).filter((name) => !seen.includes(name)))
      expect((await lastOf(server, ana)).nightly).toBe(true)
      expect(await server.stop()).toBe(0)
      // The same night again: nothing is due.
      const again = await serve({ ...nightly, ...ahead(days * DAY) })
      await (await visitor(again.url).http.get('/healthz')).data
      await again.stop()
    }
    expect(seen, 'by hand, and one for each of three nights').toHaveLength(4)
    expect(await goodIn(folder)).toEqual([byHand, ...seen.slice(2)])
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', join(folder, seen.at(-1)!))
    await expectServed(elsewhere, ana, ids)
  })

  test('a failure is recorded with its reason, and the server goes on', async () => {
    const { env, ana } = await settled()
    const inTheWay = join(await freshFolder(), 'file')
    await writeFile(inTheWay, 'no folder')
    const server = await serve({ ...env, BACKUP_AT: lately(), BACKUP_DIR: inTheWay })
    await until(() => /The nightly backup failed/.test(server.logs()))
    const { good, failed } = await lastOf(server, ana)
    expect(good).toBeNull()
    expect(failed).toMatchObject({ at: expect.any(String), reason: expect.stringMatching(/\S/) })
    expect(await server.stop()).toBe(0)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('two processes on %s', () => {
  test('make one nightly backup together', async () => {
    const { env } = await settled('postgres')
    const moment = new Date(Date.now() - 60_000)
    const BACKUP_AT = [moment.getHours(), moment.getMinutes()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':')
    const out = await freshFolder()
    const both = await Promise.all(
      [env.DATA_DIR, await freshFolder()].map((DATA_DIR) =>
        serve({ ...env, DATA_DIR, BACKUP_AT, BACKUP_DIR: out }),
      ),
    )
    await until(() => both.some((server) => /made and proved/.test(server.logs())))
    for (const server of both) await server.stop()
    expect(await goodIn(out)).toHaveLength(1)
    expect(await countsOf(env, ['backups'])).toEqual({ backups: 1 })
  })
})
