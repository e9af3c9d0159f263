import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import { expect, inject, onTestFinished } from 'vitest'
import { buildApp, migrations, modules } from '#app.ts'
import { readConfig } from '#core/config.ts'
import type { Database } from '#core/database/database.ts'
import { migrate } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import type { Site } from '#core/http/pages.ts'
import { openStorage } from '#core/media/open-storage.ts'
import type { RealtimeOptions } from '#core/realtime/server.ts'
import { type S3, startS3 } from '#tests/s3.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

export type Dialect = 'sqlite' | 'postgres'
/** Both databases, or SQLite alone where no PostgreSQL could be had: the run says so. */
export const dialects: Dialect[] = inject('postgres') ? ['sqlite', 'postgres'] : ['sqlite']

/** Where pictures are kept: in DATA_DIR, or in a bucket of an S3 server. */
export const stores = ['folder', 's3'] as const

/** Stands for the built pages, which these tests are not about. */
const noSite: Site = {
  html: () =>
    '<!doctype html><html lang="en"><head><title>x</title><meta name="description" content="x"></head><body><div id="app"><span>Engawa</span><p>Loading...</p></div></body></html>',
  needs: () => ({ scripts: [], styles: [] }),
  folder: null,
}

export interface TestAppOptions {
  dialect?: Dialect
  store?: (typeof stores)[number]
  /** Another process of its community, on PostgreSQL: with its database, and its bucket. */
  beside?: { url: string | null; s3: S3 | null }
  env?: Record<string, string>
  /** The features to serve, by name. Default: all. */
  features?: readonly string[]
  jobWaits?: readonly number[]
  realtime?: RealtimeOptions
}

/**
 * Builds the whole app on a fresh database and folder. Tests call it through HTTP without a port. It is
 * closed when the test is over.
 */
export async function createTestApp({
  dialect = 'sqlite',
  store = 'folder',
  beside,
  env = {},
  features,
  jobWaits,
  realtime,
}: TestAppOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-test-'))
  const s3 = beside?.s3 ?? (store === 's3' ? await startS3() : null)
  const config = readConfig({
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    ...(s3 && { MEDIA_URL: s3.mediaUrl }),
    ...env,
  })
  const url: string | null =
    beside?.url ?? (dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null)
  const database: Database = url ? await openPostgres(url) : openSqlite(join(folder, 'engawa.db'))
  await migrate(database.db, migrations)
  const { app, context } = await buildApp({
    config,
    database,
    site: noSite,
    ...(features && { features: modules.filter(({ name }) => features.includes(name)) }),
    ...(jobWaits && { jobWaits }),
    ...(realtime && { realtime }),
  })
  await app.ready()
  const conforms = conformance((await app.inject('/api/openapi.json')).json())
  onTestFinished(async () => {
    await app.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
    if (beside) return
    if (url) await dropDatabase(url)
    await s3?.stop()
  })

  /** Somebody with a browser: cookies are kept, and the token goes along. */
  function visitor(headers: Record<string, string> = {}) {
    const jar = new Map<string, string>()
    const send = async (
      method: Method,
      path: string,
      body?: object | FormData,
      more: Record<string, string> = {},
    ) => {
      const encoded = body instanceof FormData ? new Response(body) : null
      const answer = await app.inject({
        method,
        url: path,
        headers: {
          ...headers,
          ...(encoded && { 'content-type': encoded.headers.get('content-type')! }),
          ...(jar.has('XSRF-TOKEN') && { 'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN')!) }),
          ...more,
        },
        cookies: Object.fromEntries(jar),
        ...(body && { payload: encoded ? Buffer.from(await encoded.arrayBuffer()) : body }),
      })
      for (const { name, value } of answer.cookies) jar.set(name, value)
      // Answers to HEAD have the type without the body.
      const isJson = answer.body && /^application\/json/.test(String(answer.headers['content-type'] ?? ''))
      const got = {
        status: answer.statusCode,
        body: isJson ? answer.json() : answer.body,
        headers: answer.headers,
        raw: answer.rawPayload,
      }
      conforms(method, path, got)
      return got
    }
    return {
      jar,
      send,
      get: (path: string, more?: Record<string, string>) => send('GET', path, undefined, more),
      post: (path: string, body?: object | FormData) => send('POST', path, body),
      put: (path: string, body?: object) => send('PUT', path, body),
      delete: (path: string) => send('DELETE', path),
      async register(name: string, password = 'correct horse') {
        await send('GET', '/sanctum/csrf-cookie')
        const email = `${name.toLowerCase()}@engawa.example`
        const answer = await send('POST', '/api/register', {
          name,
          email,
          password,
          password_confirmation: password,
        })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        return answer.body.user.id as number
      },
    }
  }

  /** Members of the cast, logged in; the first of all is the admin. */
  async function members<const Names extends readonly string[]>(...names: Names) {
    type Person = ReturnType<typeof visitor> & { id: number }
    const people: Record<string, Person> = {}
    for (const name of names) {
      const person = visitor()
      people[name] = { ...person, id: await person.register(name) }
    }
    return people as { [K in Names[number]]: Person }
  }

  const files = await openStorage(config)
  /** Names of all files of pictures. */
  const kept = async () => (await Array.fromAsync(files.list(), ({ name }) => name)).sort()

  return { app, context, db: database.db, url, s3, config, folder, files, kept, visitor, members }
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>
export type Actor = ReturnType<TestApp['visitor']>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD'

export function form(
  fields: Record<string, string | readonly string[]>,
  files: Record<string, readonly File[]> = {},
) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) data.append(name, one)
  for (const [name, list] of Object.entries(files)) for (const file of list) data.append(name, file)
  return data
}

/**
 * Compares every answer of these tests with the OpenAPI document. An answer that the document does not
 * describe fails the test.
 */
function conformance(document: {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
}) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'engawa')
  const paths = Object.entries(document.paths).map(([path, calls]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    path,
    calls,
  }))
  // `/api/posts/following` is also of the shape `/api/posts/{id}`: the path with fewer blanks is meant.
  paths.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return (
    method: string,
    url: string,
    { status, body, headers }: { status: number; body: unknown; headers: Record<string, unknown> },
  ) => {
    const known = paths.find(({ pattern }) => pattern.test(url.split('?')[0]!))
    const call = known?.calls[method.toLowerCase()]
    if (!known || !call || /text\/html/.test(String(headers['content-type']))) return
    const response = call.responses[status]
    expect(response, `${method} ${url} answers ${status}, which the document does not know`).toBeDefined()
    if (!response?.content) return expect(body, `${method} ${url} ${status}`).toBe('')
    const pointer = `engawa#/paths/${escaped(known.path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const valid = ajv.validate({ $ref: pointer }, body)
    expect(valid, `${method} ${url} ${status}: ${ajv.errorsText()}\n${JSON.stringify(body)}`).toBe(true)
  }
}
const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/** All rows of a table, for looking at what stays behind. */
export const rowsOf = async (db: Database['db'], table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows
