import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import type { Db } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { mediaMigrations as media } from '#core/media/tables.ts'
import { nameSkeleton, parseHandle, suggestHandle } from '#features/people/handles.ts'
import { peopleMigrations as people } from '#features/people/tables.ts'
import { createGroup, sendPrivate, sendToGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { openConnections } from '#tests/databases.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'

test.each([
  ['Aya', 'aya'],
  ['Aya Sato', 'ayasato'],
  ['山田 花子', '山田花子'],
  ['Ｂｅｎ・Ö', 'benö'],
  ['@echo', 'echo'],
  ['🌸', 'member'],
  ['x'.repeat(255), 'x'.repeat(24)],
])('the name %s gives the handle @%s', (name, handle) => {
  expect(suggestHandle(name)).toBe(handle)
  expect(parseHandle(handle)).toBe(handle)
})

test('names that look alike have the same skeleton, and other names do not', () => {
  for (const [one, other] of [
    ['Aya', 'AYA'],
    ['Aya', 'Ауа'],
    ['Ben O.', 'ben 0'],
    ['Aya Sato', 'AyaSato'],
    ['カナ', '力ナ'],
    ['Ａｙａ', 'Aya'],
  ] as const)
    expect(nameSkeleton(one), other).toBe(nameSkeleton(other))
  for (const [one, other] of [
    ['Aya', 'Ava'],
    ['か', 'が'],
    ['Ann', 'Ann 🌸'],
    ['José', 'Jose'],
  ] as const)
    expect(nameSkeleton(one), other).not.toBe(nameSkeleton(other))
})

describe.each(dialectsInTurn())('handles on %s', (dialect) => {
  async function register(app: TestApp, name: string) {
    const actor = app.visitor()
    await actor.get('/sanctum/csrf-cookie')
    const password = 'correct horse'
    const email = `m${Math.random()}@engawa.example`
    const account = { name, email, password, password_confirmation: password }
    expect((await actor.post('/api/register', account)).status).toBe(200)
    return actor
  }

  test('are derived from names, are unique, and are shown where names look alike', async () => {
    const app = await createTestApp({ dialect })
    const people = []
    for (const name of ['Aya', 'AYA', 'Ауа', 'Ben']) people.push(await register(app, name))
    const distinct = ({ handle, shares_name }: Record<string, unknown>) => [handle, shares_name]
    const expected = [
      ['aya', true],
      ['aya2', true],
      ['ауа', true],
      ['ben', false],
    ]
    const listed = await people[3]!.get('/api/users')
    expect(listed.body.map(distinct)).toEqual(expected)
    for (const [index, person] of people.entries())
      for (const path of ['/api/user', '/api/profile', `/api/people/${index + 1}`]) {
        const { status, body } = await person.get(path)
        if (status === 200) expect(distinct(body.user ?? body), path).toEqual(expected[index])
      }
    const crowd = await Promise.all(['Cleo', 'Cleo', 'Cleo', 'Cleo'].map((name) => register(app, name)))
    const handles = await Promise.all(
      crowd.map(async (person) => (await person.get('/api/user')).body.handle),
    )
    expect(handles.sort()).toEqual(['cleo', 'cleo2', 'cleo3', 'cleo4'])
  })

  test('can be changed by their owners, and stay when the name changes', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const save = (handle: unknown) => Ann.post('/api/profile', { name: 'Ann', handle })
    expect((await save(' @Ann_Smith7 ')).body.user.handle).toBe('ann_smith7')
    expect((await save('ann_smith7')).status).toBe(200)
    for (const handle of [null, '', undefined])
      expect((await save(handle)).body.user.handle).toBe('ann_smith7')
    expect((await Ann.post('/api/profile', { name: 'Anna' })).body.user.handle).toBe('ann_smith7')
    for (const handle of [
      'ben',
      '@BEN',
      'ｂｅｎ',
      'a b',
      'a-b',
      '@',
      '@@a',
      '😀',
      'x'.repeat(31),
      '\u0301a',
      7,
    ])
      expect(await save(handle), String(handle)).toMatchObject({
        status: 422,
        body: { errors: { handle: [expect.any(String)] } },
      })
    expect((await Ben.post('/api/profile', { name: 'Ben', handle: 'ann' })).body.user.handle).toBe('ann')
    expect((await readRows(app.db, 'users')).map(({ handle }) => handle).sort()).toEqual([
      'ann',
      'ann_smith7',
    ])
  })

  test('stand beside shared names in posts and chats, from the moment when the name is shared', async () => {
    const app = await createTestApp({ dialect })
    const { Admin, Aya, Ben } = await app.members('Admin', 'Aya', 'Ben')
    const group = await createGroup(Admin, 'Club', Aya, Ben)
    for (const [one, other] of [
      [Aya, Ben],
      [Ben, Aya],
    ] as const)
      await one.post(`/api/follow/${other.id}`)
    await Aya.post('/api/posts', { text: 'Hello' })
    await sendPrivate(Aya, Ben, 'Hello')
    await sendToGroup(Aya, group, 'Hello')
    /**
     * Requests, as Ben, all lists, single records and messages in which Aya appears. Returns what each
     * response contains about Aya.
     */
    const shown = async () => {
      const get = async (path: string) => (await Ben.get(path)).body
      const [post] = await get('/api/posts')
      return {
        post: post.user,
        'single post': (await get(`/api/posts/${post.id}`)).user,
        'followed post': (await get('/api/posts/following'))[0].user,
        conversation: (await get('/api/conversations'))[0].user,
        'private chat': (await get(`/api/conversations/${Aya.id}`)).user,
        message: (await get(`/api/group-messages/${group}`))[0].user,
        member: (await get(`/api/groups/${group}/members`)).find(({ id }: Aya) => id === Aya.id),
        listed: (await get('/api/users')).find(({ id }: Aya) => id === Aya.id),
      }
    }
    type Aya = { id: number }
    const expectHandle = async (handle: string | undefined) => {
      for (const [answer, person] of Object.entries(await shown()))
        expect([answer, person.id, person.shared_handle]).toEqual([answer, Aya.id, handle])
    }
    await expectHandle(undefined)
    const { body } = await (await register(app, 'AYA')).get('/api/user')
    expect(body.shared_handle).toBe('aya2')
    await expectHandle('aya')
    await Aya.post('/api/profile', { name: 'Aya', handle: 'aya_sato' })
    await expectHandle('aya_sato')
    const { recorded } = spyOnBroadcasts(app)
    await sendToGroup(Aya, group, 'Hello again')
    expect(recorded('GroupMessageSent')).toMatchObject([
      { data: { user: { id: Aya.id, shared_handle: 'aya_sato' } } },
    ])
    await Aya.post('/api/profile', { name: 'Aya Sato' })
    await expectHandle(undefined)
    const before = await readRows(app.db, 'users')
    await Ben.post('/api/profile', { name: 'Benjamin' })
    const after = await readRows(app.db, 'users')
    const revisions = (rows: typeof before) =>
      Object.fromEntries(rows.map(({ id, revision }) => [String(id), revision]))
    expect({ ...revisions(after), [Ben.id]: 0 }).toEqual({ ...revisions(before), [Ben.id]: 0 })
  })

  /**
   * Inserts accounts without handles into the database, as older releases stored them. The id of the first
   * one is 1.
   */
  const addOldAccounts = (db: Db, names: readonly string[]) =>
    transaction(db, async (tx) => {
      const rows = names.map(
        (name, n) => sql`(${name}, ${name}, ${`m${n}@x.example`}, ${`m${n}@x.example`}, 'x', 'x')`,
      )
      await sql`insert into users (name, name_key, email, email_key, password_hash, created_at)
        values ${sql.join(rows)}`.execute(tx)
    })
  const named = async (db: Db) =>
    (await readRows(db, 'users'))
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map(({ handle, name_skeleton }) => [handle, name_skeleton])
  const only = (...names: string[]) =>
    Object.fromEntries(Object.entries(people).filter(([name]) => names.includes(name)))

  test('are given to the accounts of the oldest version, in the order of their ids', async () => {
    const [{ db } = expect.unreachable()] = await openConnections(dialect)
    await runMigrations(db, [media, only('people 1')])
    const crowd = Array.from({ length: 1100 }, () => 'Member X')
    await addOldAccounts(db, ['Aya', 'Ауа', 'AYA', '🌸', ...crowd, 'Ben'])
    expect(await runMigrations(db, allMigrations)).toContain('people 7')
    const rows = await named(db)
    expect(rows.slice(0, 6)).toEqual([
      ['aya', 'aya'],
      ['ауа', 'aya'],
      ['aya2', 'aya'],
      ['member', '🌸'],
      ['memberx', nameSkeleton('Member X')],
      ['memberx2', nameSkeleton('Member X')],
    ])
    expect(rows.slice(-2).map(([handle]) => handle)).toEqual(['memberx1100', 'ben'])
    expect(new Set(rows.map(([handle]) => handle)).size).toBe(rows.length)
  })

  test('that accounts already have stay, and new ones skip the numbers in use', async () => {
    const [{ db } = expect.unreachable()] = await openConnections(dialect)
    await runMigrations(db, [media, only('people 1', 'people 2', 'people 3', 'people 4', 'people 5')])
    await addOldAccounts(db, ['Aya', 'Aya', 'Aya', 'Ben'])
    await transaction(db, async (tx) => {
      const update = tx.updateTable('users')
      await update.set({ handle: 'aya2', name_skeleton: 'aya' }).where('id', '=', 2).execute()
    })
    await runMigrations(db, allMigrations)
    expect((await named(db)).map(([handle]) => handle)).toEqual(['aya', 'aya2', 'aya3', 'ben'])
  })
})

test('a handle stays taken for the person whom its owner has blocked, as docs/visibility.md says', async () => {
  const { members } = await createTestApp()
  const { Ann, Ben, Cleo } = await members('Ann', 'Ben', 'Cleo')
  const choose = async (handle: string) => {
    const { status, body } = await Ben.post('/api/profile', { name: 'Ben', handle })
    return { status, body }
  }
  await Ann.post(`/api/users/${Ben.id}/block`)
  expect((await Ben.get(`/api/users/${Ann.id}`)).status).toBe(404)
  expect((await choose('ann')).body.errors.handle).toEqual(['This handle has already been taken.'])
  expect(await choose('ann')).toEqual(await choose('cleo'))
  expect((await Cleo.get(`/api/users/${Ann.id}`)).status).toBe(200)
})
