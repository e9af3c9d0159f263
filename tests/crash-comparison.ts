import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import * as storedNames from '#core/media/stored-names.ts'
import type { Acknowledged, CrashMember } from '#tests/crash-writers.ts'
import type { ServerEnvironment } from '#tests/server.ts'
import { queryPostgres } from '#tests/services.ts'

export type ServerEnv = ServerEnvironment & { DATA_DIR: string }

/**
 * Compares the writes that the server has acknowledged with the stored data, and returns a text for each
 * difference. If there are any, compares again after three seconds, and returns only those that are still
 * there, because a request may delete its temporary files after its response.
 */
export async function lastingDifferences(
  ledger: Acknowledged,
  env: ServerEnv,
  reader: CrashMember,
  url: string,
) {
  const find = () => findDataFaults(ledger, env, reader, url)
  const faults = await find()
  if (!faults.length) return faults
  await sleep(3000)
  const still = new Set(await find())
  return faults.filter((line) => still.has(line))
}

async function findDataFaults(ledger: Acknowledged, env: ServerEnv, reader: CrashMember, url: string) {
  const rows = await readRows(env)
  return [
    ...lostOrDuplicated(
      'post',
      rows.posts.map(({ body }) => body),
      ledger.posts,
    ),
    ...lostOrDuplicated(
      'message',
      rows.messages.map(({ body }) => body).filter((body) => body !== 'Hello'),
      ledger.messages,
    ),
    ...wrongStates('like', rows.likes, ledger.likes),
    ...wrongStates('follow', rows.follows, ledger.follows),
    ...wrongCounts(rows),
    ...(await wrongFiles(rows.files, env.DATA_DIR)),
    ...(await wrongPages(ledger, reader, url)),
  ]
}

/**
 * Returns an error text for each acknowledged post or message that is not stored, and for each that is stored
 * more than once.
 */
function lostOrDuplicated(kind: string, found: readonly string[], expected: ReadonlyMap<string, unknown>) {
  const counts = new Map<string, number>()
  for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1)
  const doubled = [...counts].filter(([, count]) => count > 1)
  return [
    ...doubled.map(([key, count]) => `${kind} ${key} is there ${count} times`),
    ...[...expected.keys()].filter((key) => !counts.has(key)).map((key) => `${kind} ${key} is lost`),
  ]
}

function wrongStates(
  kind: string,
  found: ReadonlySet<string>,
  expected: ReadonlyMap<string, boolean | null>,
) {
  const wrong = [...expected].filter(([key, wanted]) => wanted !== null && found.has(key) !== wanted)
  return wrong.map(([key, wanted]) => `${kind} ${key} is not ${wanted}`)
}

function wrongCounts({ posts, likes }: Rows) {
  return posts.flatMap(({ id, likes_count }) => {
    const count = [...likes].filter((key) => key.endsWith(` ${id}`)).length
    return count === Number(likes_count) ? [] : [`post ${id} counts ${likes_count} likes of ${count}`]
  })
}

/**
 * Returns an error text for each picture file without a row in `media`, for each file of a row that is
 * missing, and for each file in the folders `scratch` and `orphans`, which must be empty.
 */
async function wrongFiles(named: ReadonlySet<string>, folder: string) {
  const files = new Set(await readdir(join(folder, 'media')))
  const left = ['scratch', 'orphans'].map(async (name) => {
    const entries = await readdir(join(folder, name), { recursive: true })
    return entries.map((file) => `${name} holds ${file}`)
  })
  return [
    ...[...named].filter((file) => !files.has(file)).map((file) => `file ${file} is lost`),
    ...[...files]
      .filter((file) => !named.has(file) && file !== storedNames.MARKER)
      .map((file) => `file ${file} belongs to nothing`),
    ...(await Promise.all(left)).flat(),
  ]
}

/**
 * Returns an error text for each of the last twenty acknowledged posts that the server does not show with all
 * its pictures.
 */
async function wrongPages(ledger: Acknowledged, reader: CrashMember, url: string) {
  const wrong: string[] = []
  for (const { pictures, id } of [...ledger.posts.values()].filter((one) => one !== null).slice(-20)) {
    const { status, body } = await reader.call(url, 'GET', `/api/posts/${id}`)
    if (status !== 200 || (body.post ?? body).images.length !== pictures)
      wrong.push(`post ${id} is not shown with ${pictures} pictures`)
  }
  return wrong
}

type Rows = Awaited<ReturnType<typeof readRows>>

async function readRows(env: ServerEnv) {
  const all = async <Row>(query: string): Promise<Row[]> => {
    if (env.DATABASE_URL) return (await queryPostgres(env.DATABASE_URL, query)).rows
    const database = new DatabaseSync(join(env.DATA_DIR, 'engawa.db'), { readOnly: true })
    try {
      return database.prepare(query).all() as Row[]
    } finally {
      database.close()
    }
  }
  const pairs = async (query: string) =>
    new Set((await all<{ a: number; b: number }>(query)).map(({ a, b }) => `${a} ${b}`))
  const media = await all<{ name: string; widths: string }>('select name, widths from media')
  return {
    posts: await all<{ id: number; body: string; likes_count: number }>(
      'select id, body, likes_count from posts',
    ),
    messages: await all<{ body: string }>('select body from messages'),
    likes: await pairs('select user_id as a, post_id as b from likes'),
    follows: await pairs('select follower_id as a, followed_id as b from follows'),
    files: new Set(
      media.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`)),
    ),
  }
}
