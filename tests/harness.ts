import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import { expect, inject, onTestFinished } from 'vitest'
import { buildApp, featureModules } from '#app.ts'
import { readConfig } from '#core/config.ts'
import type { OpenedDatabase } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { collect } from '#core/feature/contracts.ts'
import type { Frontend } from '#core/http/frontend.ts'
import { openApiDocument } from '#core/http/openapi.ts'
import type { Connector } from '#core/http/public-network.ts'
import { openStorage } from '#core/media/open-storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import type { ConnectionLimits } from '#core/realtime/options.ts'
import { day, deep } from '#tests/deep.ts'
import { takePostgres } from '#tests/kept-postgres.ts'
import { migratedSqlite } from '#tests/migrated-databases.ts'
import { startS3, type TestS3Server } from '#tests/s3.ts'

const root = join(import.meta.dirname, '..')

export type Dialect = 'sqlite' | 'postgres'
/**
 * The databases on which tests run: SQLite and PostgreSQL, or only SQLite if there is no PostgreSQL server.
 * tests/global-setup.ts reports a missing server.
 */
export const databases: Dialect[] = inject('postgres') ? ['sqlite', 'postgres'] : ['sqlite']

/**
 * The databases for tests whose SQL is the same on both: SQLite, and PostgreSQL for a third of the files, which
 * changes each day. With TEST_DEEP=1, both for all.
 */
export function dialectsInTurn(): Dialect[] {
  const file = relative(root, expect.getState().testPath!)
  const isInTurn = (createHash('sha1').update(file).digest()[0]! + day) % 3 === 0
  return deep || isInTurn ? databases : ['sqlite']
}

/**
 * The kinds of storage in which a test app can keep pictures and files: a folder in DATA_DIR, or a bucket of
 * an S3 server.
 */
export const storageKinds = ['folder', 's3'] as const

/**
 * The frontend of test apps: a minimal HTML page in place of the built frontend, which these tests do not
 * need.
 */
const fakeFrontend: Frontend = {
  html: () =>
    '<!doctype html><html lang="en"><head><title>x</title><meta name="description" content="x"></head><body><div id="app"><span>Engawa</span><p>Loading...</p></div></body></html>',
  assetsOf: () => ({ scripts: [], styles: [] }),
  folder: null,
  version: 'test',
}

export interface TestAppOptions {
  dialect?: Dialect
  storage?: (typeof storageKinds)[number]
  /**
   * Another test app whose PostgreSQL database and bucket the new test app uses, like a second process of the
   * same community.
   */
  sameDataAs?: { url: string | null; s3: TestS3Server | null }
  env?: Record<string, string>
  /** The names of the features that the test app has. Default: all features. */
  features?: readonly string[]
  /** The path of a folder of static files that the test app serves. Default: none. */
  staticFiles?: string
  jobRetryDelays?: readonly number[]
  realtime?: ConnectionLimits
  publicNetwork?: Connector
}

/**
 * Creates the whole app in the process of the test, without a port. It has an empty folder and, without
 * `sameDataAs`, a database with all tables but no members. The app is closed after the test.
 */
export async function createTestApp({
  dialect = 'sqlite',
  storage = 'folder',
  sameDataAs,
  env = {},
  features,
  staticFiles,
  jobRetryDelays,
  realtime,
  publicNetwork,
}: TestAppOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-test-'))
  const s3 = sameDataAs?.s3 ?? (storage === 's3' ? await startS3() : null)
  const config = readConfig({
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    ...{ LOG_LEVEL: 'silent', NEW_POSTS_UP_TO: '0' },
    MIN_FREE_MB: '0',
    ...(s3 && { MEDIA_URL: s3.mediaUrl }),
    ...env,
  })
  const kept = dialect === 'postgres' && !sameDataAs ? await takePostgres() : null
  const url: string | null = sameDataAs?.url ?? kept?.url ?? null
  const database: OpenedDatabase = kept?.open() ?? (await openDatabase(url, join(folder, 'engawa.db')))
  const { app, context } = await buildApp({
    config,
    database,
    frontend: { ...fakeFrontend, folder: staticFiles ?? null },
    ...(features && { features: featureModules.filter(({ name }) => features.includes(name)) }),
    ...(jobRetryDelays && { jobRetryDelays }),
    ...(realtime && { realtime }),
    ...(publicNetwork && { publicNetwork }),
  })
  await app.ready()
  const served = featureModules.filter(({ name, isDemo }) =>
    features ? features.includes(name) : config.DEMO || !isDemo,
  )
  const conforms = findResponseValidator(served)
  onTestFinished(async () => {
    await app.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
    await kept?.giveBack()
    if (!sameDataAs) await s3?.stop()
  })

  /**
   * Creates an HTTP client that works like a browser: it stores cookies, and sends the anti-forgery token.
   * It fails the test if a response is not as the OpenAPI document describes.
   */
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
      // Does not parse the body of responses to HEAD, which have a content type but no body.
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

  /**
   * Registers members and logs them in. Returns their HTTP clients by name. The first member of an app
   * becomes the admin.
   */
  async function members<const Names extends readonly string[]>(...names: Names) {
    type Person = ReturnType<typeof visitor> & { id: number }
    const people: Record<string, Person> = {}
    for (const name of names) {
      const person = visitor()
      people[name] = { ...person, id: await person.register(name) }
    }
    // Tests begin without the notifications that tell the admin of these members.
    const forget = sql`delete from notifications where kind = 'new_member'`
    await transaction(database.db, (tx) => forget.execute(tx))
    return people as { [K in Names[number]]: Person }
  }

  const files = await openStorage(config)
  /** Returns the names of all files in the media storage, in alphabetical order. */
  const mediaFiles = async () =>
    (await Array.fromAsync(files.list(), ({ name }) => name))
      .filter((name) => name !== storedNames.MARKER)
      .sort()

  return {
    app,
    context,
    database,
    db: database.db,
    url,
    s3,
    config,
    folder,
    files,
    mediaFiles,
    visitor,
    members,
  }
}

async function openDatabase(url: string | null, file: string) {
  if (url) return openPostgres(url)
  migratedSqlite(file)
  return openSqlite(file)
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>
export type TestClient = ReturnType<TestApp['visitor']>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD'

export function formData(
  fields: Record<string, string | readonly string[]>,
  files: Record<string, readonly File[]> = {},
) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) data.append(name, one)
  for (const [name, list] of Object.entries(files)) for (const file of list) data.append(name, file)
  return data
}

const responseValidators = new Map<string, ReturnType<typeof createResponseValidator>>()

/**
 * Returns the function that validates the responses of an app with these features. All tests of a file share
 * this function.
 */
function findResponseValidator(served: typeof featureModules) {
  const key = served.map(({ name }) => name).join()
  // Creates the OpenAPI document itself instead of requesting it, because a members-only app shows this
  // document only to members.
  const create = () => createResponseValidator(openApiDocument('Engawa', collect(served)) as ApiDocument)
  const validator = responseValidators.get(key) ?? create()
  responseValidators.set(key, validator)
  return validator
}

interface ApiDocument {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
}

/**
 * Returns a function that compares a response with the OpenAPI document. If the document describes the
 * endpoint but not this status or body, the test fails. Other paths, HTML, tables, calendars and ZIP files are not checked.
 */
function createResponseValidator(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'engawa')
  const paths = Object.entries(document.paths).map(([path, calls]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    path,
    calls,
  }))
  // Sorts the paths by their number of parameters, so that a URL matches `/api/posts/following` before
  // `/api/posts/{id}`.
  paths.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return (
    method: string,
    url: string,
    { status, body, headers }: { status: number; body: unknown; headers: Record<string, unknown> },
  ) => {
    const known = paths.find(({ pattern }) => pattern.test(url.split('?')[0]!))
    const call = known?.calls[method.toLowerCase()]
    const type = String(headers['content-type'])
    const isFile = /text\/(html|csv|calendar)|application\/zip|image\/webp/.test(type)
    if (!known || !call || isFile) return
    const response = call.responses[status]
    expect(response, `${method} ${url} answers ${status}, which the document does not know`).toBeDefined()
    if (!response?.content) return expect(body, `${method} ${url} ${status}`).toBe('')
    const pointer = `engawa#/paths/${escaped(known.path)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    // Gets the compiled schema: `getSchema` compiles it at the first call only.
    const validate = ajv.getSchema(pointer)!
    const valid = validate(body)
    const faults = ajv.errorsText(validate.errors)
    expect(valid, `${method} ${url} ${status}: ${faults}\n${JSON.stringify(body)}`).toBe(true)
  }
}
const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Returns all rows of a table of the database. Sorts them by id if the table has ids, because PostgreSQL
 * moves rows that are updated.
 */
export async function readRows(db: OpenedDatabase['db'], table: string) {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
  return rows[0] && 'id' in rows[0] ? rows.sort((a, b) => Number(a.id) - Number(b.id)) : rows
}
