import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import type { Dialect } from '#tests/harness.ts'
import { migratedPostgres, migratedSqlite } from '#tests/migrated-databases.ts'
import {
  type AxiosMember,
  axiosFile,
  axiosForm,
  axiosMember,
  axiosVisitor,
  pictureBytes,
} from '#tests/sanctum.ts'
import { bundleEnvironment, type ServerEnvironment, serverFolder, startServer } from '#tests/server.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

const bundle = await bundleEnvironment()

export function spawnEngawa(env: ServerEnvironment, ...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(join(import.meta.dirname, '../bin/engawa'), args, {
    env: { PATH, HOME, ...bundle, ...env },
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

export async function runEngawa(env: ServerEnvironment, ...args: string[]) {
  const { code, output } = await spawnEngawa(env, ...args).done
  expect(code, output).toBe(0)
  return output
}

export async function expectFailure(says: string | RegExp, env: ServerEnvironment, ...args: string[]) {
  const { code, output } = await spawnEngawa(env, ...args).done
  expect(code, output).toBe(1)
  expect(output).toMatch(says)
  expect(output.trim().split('\n'), output).toHaveLength(1)
}

export async function killAndWait(child: ChildProcess, done: Promise<unknown>) {
  expect(child.exitCode, 'it was not over yet').toBeNull()
  child.kill('SIGKILL')
  await done
}

export const backupPath = (output: string) => /^The backup is in (.+)$/m.exec(output)![1]!
export const waitUntilTrue = (holds: () => unknown) =>
  eventually(async () => expect(await holds()).toBeTruthy())
export const fileNamesIn = async (folder: string) =>
  existsSync(folder) ? (await readdir(folder)).toSorted() : []
export const finishedBackups = async (folder: string) =>
  (await fileNamesIn(folder)).filter((name) => /^\d{4}-/.test(name))

export async function temporaryPostgres() {
  const url = await createDatabase(inject('postgres')!)
  onTestFinished(() => dropDatabase(url))
  return url
}

/**
 * Creates a temporary folder and, for PostgreSQL, an empty database. Returns the environment variables with
 * which a server creates a new community there: DATA_DIR and, for PostgreSQL, DATABASE_URL.
 */
export async function newCommunity(dialect: Dialect): Promise<ServerEnvironment & { DATA_DIR: string }> {
  const DATA_DIR = join(await serverFolder(), 'data')
  return {
    DATA_DIR,
    ...(dialect === 'postgres' && { DATABASE_URL: await temporaryPostgres() }),
  }
}

export const startUnlimited = (env: ServerEnvironment) => startServer({ RATE_LIMIT: 'off', ...env })

let shade = 0
/**
 * Creates a picture file with another picture size at each call, so that the server stores separate files for
 * each.
 */
const newPicture = async () =>
  axiosFile(await pictureBytes(40 + (++shade % 50), 30 + Math.floor(shade / 50)), `${shade}.png`)

export async function postWithAxios(who: AxiosMember, text: string, withPicture = false): Promise<number> {
  const answer = await who.http.post(
    '/api/posts',
    axiosForm({ text, ...(withPicture && { 'images[]': await newPicture() }) }),
  )
  expect(answer.status, JSON.stringify(answer.data)).toBe(201)
  return answer.data.post.id
}

/**
 * Like `newCommunity`, but the database already has all tables, so that the server does
 * not need to run all migrations.
 */
export async function migratedCommunity(dialect: Dialect): Promise<ServerEnvironment & { DATA_DIR: string }> {
  const DATA_DIR = join(await serverFolder(), 'data')
  await mkdir(DATA_DIR, { mode: 0o700 })
  if (dialect === 'sqlite') {
    migratedSqlite(join(DATA_DIR, 'engawa.db'))
    return { DATA_DIR }
  }
  const DATABASE_URL = await migratedPostgres()
  onTestFinished(() => dropDatabase(DATABASE_URL))
  return { DATA_DIR, DATABASE_URL }
}

/**
 * Creates a community in which the member Ana has written posts with a picture each, and stops its server.
 * Returns the environment variables of the server, the member Ana, and the ids of the posts.
 */
export async function stoppedCommunity(dialect: Dialect = 'sqlite', posts = 3) {
  const env = await migratedCommunity(dialect)
  const server = await startUnlimited(env)
  const ana = await axiosMember(server.url, 'Ana')
  const ids = []
  for (let n = 0; n < posts; n++) ids.push(await postWithAxios(ana, `post ${n}`, true))
  await server.stop()
  return { env, ana, ids }
}

/**
 * Starts a server. Expects that the member Ana can log in, get the posts with these ids and their pictures,
 * and create another post. Then stops the server.
 */
export async function expectPosts(
  env: ServerEnvironment,
  ana: Pick<AxiosMember, 'email'>,
  ids: readonly number[],
) {
  const server = await startUnlimited(env)
  const again = axiosVisitor(server.url)
  expect((await again.logIn(ana.email)).status).toBe(204)
  for (const id of ids) {
    const { status, data } = await again.http.get(`/api/posts/${id}`)
    expect(status, `post ${id}`).toBe(200)
    for (const { path } of data.images) expect((await again.http.get(path)).status, path).toBe(200)
  }
  const newest = await postWithAxios(
    { ...again, id: 0, name: 'Ana', email: ana.email } as AxiosMember,
    'after the restore',
    true,
  )
  expect(newest).toBeGreaterThan(Math.max(0, ...ids))
  await server.stop()
}

export async function countRows(
  { DATA_DIR, DATABASE_URL }: ServerEnvironment,
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

export const readManifest = async (backup: string) =>
  JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'))

export async function flipBit(path: string) {
  const handle = await open(path, 'r+')
  const { size } = await handle.stat()
  const at = Math.floor(size / 2)
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  await handle.write(Buffer.from([byte[0]! ^ 1]), 0, 1, at)
  await handle.close()
}

/**
 * Replaces a file with a named pipe, so that a program that reads the file waits until the test calls `once`,
 * which writes the content of the file to the pipe. `giveBack` removes the pipe and puts the file back.
 */
export async function replaceWithPipe(path: string) {
  const bytes = await readFile(path)
  await rename(path, `${path}.held`)
  execFileSync('mkfifo', [path])
  return {
    /** Writes the content of the replaced file into the pipe once, for one reader. */
    once: () => writeFile(path, bytes),
    giveBack: () => rename(`${path}.held`, path),
  }
}
