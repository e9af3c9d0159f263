import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axios from 'axios'
import { describe, expect, test } from 'vitest'
import { appVersion } from '#core/environment/version.ts'
import { eventually } from '#tests/eventually.ts'
import { axiosForm, axiosMember, axiosVisitor, PASSWORD } from '#tests/sanctum.ts'
import { bundleEnvironment, failedStart, serverFolder, startServer } from '#tests/server.ts'
import { findFreePort } from '#tests/services.ts'

/**
 * Expects that a process ended with the exit code 1 and printed one line without a stack trace, besides log
 * lines of the level info. The line must match all of `says`.
 */
function expectOneLine(
  { code, output }: { code: number | null; output: string },
  ...says: (string | RegExp)[]
) {
  expect(code, output).toBe(1)
  const lines = output.trim().split('\n')
  const said = lines.filter((line) => !/^\{"level":30,/.test(line))
  expect(said, output).toHaveLength(1)
  expect(output).not.toMatch(/\bat \S+ \(|node:internal|Error:/)
  for (const word of says) expect(output).toMatch(word)
}

describe('a start', () => {
  test('prints its address in one line when the server is ready', async () => {
    const server = await startServer()
    expect(server.logs().match(/^Engawa is ready at http:\/\/\S+:\d+$/gm)).toHaveLength(1)
    expect((await axios.get(`${server.url}/healthz`)).data).toEqual({ status: 'ok' })
    expect(await server.stop()).toBe(0)
  })

  test('logs how many migrations ran, and names them at the level debug', async () => {
    const server = await startServer({
      DATA_DIR: await serverFolder(),
      LOG_LEVEL: 'debug',
    })
    expect(server.logs()).toMatch(/^\{"level":30,.*"msg":"The database was migrated in \d+ steps\."\}$/m)
    expect(server.logs()).toMatch(/^\{"level":20,.*"msg":"Migrated: people 1"\}$/m)
    await server.stop()
  })

  // core/config.test.ts tests the values of all variables.
  test.each([
    ['PORT', 'http'],
    ['HOST', 'not an address'],
    ['HOST', '203.0.113.7'],
    ['DATABASE_URL', 'postgres://someone:hunter22@127.0.0.1:1/engawa'],
    ['SMTP_URL', 'http://someone:hunter22@mail.example'],
  ])('with %s=%s is refused in one line that names it', async (name, value) => {
    const refusal = await failedStart({ [name]: value })
    expectOneLine(refusal, new RegExp(`\\b${name}\\b`))
    expect(refusal.output).not.toContain('hunter22')
  })

  test('on an unusable folder fails with one line', async () => {
    const folder = await serverFolder()
    await writeFile(join(folder, 'file'), 'x')
    expectOneLine(await failedStart({ DATA_DIR: join(folder, 'file') }), 'DATA_DIR')
    expectOneLine(await failedStart({ DATA_DIR: '/proc/engawa' }), 'DATA_DIR')
  })

  test('on a port in use fails with one line', async () => {
    const port = await findFreePort()
    const other = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    expectOneLine(await failedStart({ PORT: String(port) }), 'PORT', String(port))
    other.close()
  })

  test('beside another server on the same folder fails with one line, and the other continues', async () => {
    const server = await startServer()
    const ana = await axiosMember(server.url, 'Ana')
    expectOneLine(await failedStart({ DATA_DIR: server.folder }), /DATA_DIR|already/)
    expect((await ana.http.get('/api/user')).status).toBe(200)
    expect(await server.stop()).toBe(0)
    const next = await startServer({ DATA_DIR: server.folder })
    expect(await next.stop('SIGINT')).toBe(0)
  })

  test('prints PUBLIC_URL, and creates files that other accounts of the machine cannot read', async () => {
    const folder = join(await serverFolder(), 'deep', 'data')
    const server = await startServer({ DATA_DIR: folder, PUBLIC_URL: 'http://town.example:8080' })
    expect(server.logs()).toContain('Engawa is ready at http://town.example:8080')
    expect((await stat(folder)).mode & 0o077).toBe(0)
    for (const name of await readdir(folder, { recursive: true }))
      expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0)
    await server.stop()
  })
})

describe('the command line', async () => {
  const bundle = await bundleEnvironment()
  const engawa = (folder: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(import.meta.dirname, '../bin/engawa'), args, {
      env: { ...process.env, ...bundle, DATA_DIR: folder },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  test('grants, lists and revokes admins while a server runs', async () => {
    const { url, folder } = await startServer()
    const ana = await axiosMember(url, 'Ana')
    const ben = await axiosMember(url, 'Ben')
    const isAdmin = async () => (await ben.http.get('/api/user')).data.is_admin
    const { email } = (await ben.http.get('/api/user')).data
    expect(await isAdmin()).toBe(false)
    expect(engawa(folder, 'admin', 'grant', email.toUpperCase()).status).toBe(0)
    expect(await isAdmin()).toBe(true)
    expect(engawa(folder, 'admin', 'list').stdout.trim().split('\n')).toEqual([
      expect.stringContaining('Ana'),
      expect.stringContaining('Ben'),
    ])
    expect(engawa(folder, 'admin', 'revoke', email).status).toBe(0)
    expect(await isAdmin()).toBe(false)
    expect((await ana.http.get('/api/user')).data.is_admin).toBe(true)
    expect(engawa(folder, 'admin', 'grant', 'nobody@engawa.example')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nobody@engawa.example'),
    })
    expect(engawa(folder, 'admin', 'crown', email)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('engawa admin grant EMAIL'),
    })
  })

  test('prints the version, without a data folder', async () => {
    const folder = await serverFolder()
    expect(engawa(folder, '--version')).toEqual({ status: 0, stdout: `${appVersion}\n`, stderr: '' })
    expect(await readdir(folder)).toEqual([])
  })

  test('creates no community where there is none', async () => {
    const folder = await serverFolder()
    expect(engawa(folder, 'admin', 'list')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('DATA_DIR'),
    })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('the log', () => {
  test('shows a request soon, also if no other request follows', async () => {
    const server = await startServer()
    await axios.get(`${server.url}/api/posts`)
    await eventually(() => expect(server.logs()).toContain('"path":"/api/posts"'))
    await server.stop()
  })

  test('has one JSON line for each request, with its id and without secrets', async () => {
    const server = await startServer({ RATE_LIMIT: 'off' })
    const ana = await axiosMember(server.url, 'Ana')
    const secrets = [PASSWORD, ana.session()!.value, decodeURIComponent(ana.token()!.value)]
    await ana.http.get('/api/users?q=needle-in-the-query')
    await ana.http.get(
      `/api/email/verify/${ana.id}/${'0'.repeat(40)}?expires=1&signature=needle-in-the-query`,
    )
    await ana.http.post('/api/profile', { name: 'Ana', bio: 'needle-in-the-bio' })
    await ana.http.get('/email/verify/1/2?signature=needle-in-the-query', {
      headers: { Accept: 'text/html', Referer: 'http://x/?needle-in-the-query' },
    })
    await ana.http.get('/api/no-such-call?needle-in-the-query')
    await ana.http.get(`/digest/unsubscribe/1.${'needle-'.repeat(6)}n`)
    const other = await axiosVisitor(server.url).logIn(ana.email, 'needle-in-the-password')
    expect(other.status).toBe(422)
    await ana.http.post('/logout', {})
    await server.stop()

    const lines = server.logs().trim().split('\n')
    const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
    for (const line of lines.filter((line) => !line.startsWith('{')))
      expect(line).toMatch(/^(Engawa is ready at|There is no admin yet\.) /)
    const of = (path: string) => events.filter((event) => event.path === path)
    for (const path of [
      '/api/register',
      '/api/users',
      '/api/profile',
      '/api/no-such-call',
      '/login',
      '/logout',
      '/email/verify/1/2',
      '/digest/unsubscribe/:token',
    ]) {
      expect(of(path), path).toHaveLength(1)
      expect(of(path)[0]).toMatchObject({
        id: expect.stringMatching(/\S/),
        method: expect.any(String),
        status: expect.any(Number),
      })
    }
    const ids = events.filter(({ path }) => path).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const secret of [...secrets, 'needle-in-the'])
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
  })
})

/**
 * SQL statements that remove the tables of posts and tags and the records of their migrations, so that these
 * migrations are due again.
 */
const postTables = ['likes', 'hidden_posts', 'post_attachments', 'post_versions', 'bookmarks', 'post_tags']

/** As if the posts, and what is made from them, were new in this version. */
function removePostTables(database: DatabaseSync) {
  const made = database
    .prepare(`select name from sqlite_master join pragma_table_list using (name)
      where name like 'search\\_%' escape '\\' and pragma_table_list.type <> 'shadow'`)
    .all()
  const triggers = database.prepare(`select name from sqlite_master where type = 'trigger'`).all()
  database.exec(`pragma foreign_keys = off;
    ${triggers.map(({ name }) => `drop trigger ${name};`).join(' ')}
    ${[...made.map(({ name }) => name), ...postTables, 'post_announcements', 'posts'].map((table) => `drop table ${table};`).join(' ')}
    delete from migrations where name like 'posts %' or name like 'tags %' or name like 'search %'`)
}

describe('a migration', () => {
  test('of a database with data first makes a snapshot that can be opened', async () => {
    const server = await startServer()
    const ana = await axiosMember(server.url, 'Ana')
    await ana.http.post('/api/posts', axiosForm({ text: 'before the migration' }))
    await server.stop()
    const snapshots = join(server.folder, 'snapshots')
    expect(
      existsSync(snapshots) ? await readdir(snapshots) : [],
      'a first start has nothing to lose',
    ).toEqual([])

    const names = (await readdir(server.folder)).filter((name) => name.endsWith('.db'))
    expect(names).toHaveLength(1)
    const database = new DatabaseSync(join(server.folder, names[0]!))
    removePostTables(database)
    database.close()

    const next = await startServer({ DATA_DIR: server.folder })
    const copies = (await readdir(snapshots)).filter((name) => name.endsWith('.db'))
    expect(copies).toHaveLength(1)
    // Copies only the .db file of the snapshot, to test that this file is complete without the other files in
    // its folder.
    const alone = join(await serverFolder(), 'copy.db')
    await copyFile(join(snapshots, copies[0]!), alone)
    const copy = new DatabaseSync(alone)
    expect(copy.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(copy.prepare('select name from users').all()).toEqual([{ name: 'Ana' }])
    copy.close()
    const again = axiosVisitor(next.url)
    expect((await again.logIn(ana.email)).status).toBe(204)
    expect((await again.http.post('/api/posts', axiosForm({ text: 'after it' }))).status).toBe(201)
    expect((await again.http.get('/api/posts')).data).toHaveLength(1)
    await next.stop()
    const third = await startServer({ DATA_DIR: server.folder })
    const later = (await readdir(snapshots)).filter((name) => name.endsWith('.db'))
    expect(later, 'where nothing is due, nothing is copied').toEqual(copies)
    await third.stop()
  })

  test('does not begin when its snapshot fails', async () => {
    const server = await startServer()
    await axiosMember(server.url, 'Ana')
    await server.stop()
    await writeFile(join(server.folder, 'snapshots'), 'in the way')
    const database = new DatabaseSync(join(server.folder, 'engawa.db'))
    removePostTables(database)
    database.close()
    expect((await failedStart({ DATA_DIR: server.folder })).code).toBe(1)
    const after = new DatabaseSync(join(server.folder, 'engawa.db'))
    expect(after.prepare(`select name from sqlite_master where name = 'posts'`).all()).toEqual([])
    after.close()
  })
})
