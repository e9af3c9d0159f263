import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { peopleMigrations } from '../tables.ts'

/** Requests a list page by page, following the Link headers. Returns one array of ids for each page. */
async function collectPages(actor: TestClient, path: string) {
  const pages: number[][] = []
  for (let at: string | undefined = path; at && pages.length < 9; ) {
    const answer = await actor.get(at)
    pages.push(answer.body.map(({ id }: { id: number }) => id))
    at = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  return pages
}

describe.each(dialectsInTurn())('searching people on %s', (dialect) => {
  const names = [
    'Ann',
    'Ben',
    '田中 花子',
    '100% Jam',
    'snake_case',
    'back\\slash',
    'Ärger',
    'ﾊﾝｶｸ',
    '<b>Bo</b>',
  ]

  /**
   * Creates a test app with a user for each of the names. The returned function `found` sends a search as
   * Ann, and returns the names of the users in the response.
   */
  async function open() {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    for (const [i, name] of names.slice(1).entries()) {
      const guest = context.visitor()
      await guest.get('/sanctum/csrf-cookie')
      const given = {
        name,
        email: `p${i}@engawa.example`,
        password: 'correct horse',
        password_confirmation: 'correct horse',
      }
      expect((await guest.post('/api/register', given)).status).toBe(200)
    }
    const found = async (q: string) =>
      (await Ann.get(`/api/users?q=${encodeURIComponent(q)}`)).body.map((user: { name: string }) => user.name)
    return { ...context, Ann, found }
  }

  /**
   * Creates a test app with nine users. Inserts all except Ann into the database, which is faster than
   * registering them.
   */
  async function withManyUsers() {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const known = {
      name_key: 'x',
      name_skeleton: 'x',
      password_hash: 'x',
      created_at: new Date().toISOString(),
    }
    const others = names
      .slice(1)
      .map((name, i) => ({ ...known, name, handle: `p${i}`, email: `p${i}`, email_key: `p${i}` }))
    await transaction(context.db, (tx) => tx.insertInto('users').values(others).execute())
    return { Ann }
  }

  // spec: 2.22
  test('matches parts of names, ignoring case and width, and treats % and _ literally', async () => {
    const { Ann, found } = await open()
    const expected: [string, string[]][] = [
      ['be', ['Ben']],
      ['BEN', ['Ben']],
      ['ｂｅｎ', ['Ben']],
      ['田', ['田中 花子']],
      ['花', ['田中 花子']],
      ['ハンカク', ['ﾊﾝｶｸ']],
      ['ärg', ['Ärger']],
      ['%', ['100% Jam']],
      ['_', ['snake_case']],
      ['\\', ['back\\slash']],
      ['<B>', ['<b>Bo</b>']],
      [' ann ', ['Ann']],
      ["' or 1=1 --", []],
      ['nobody', []],
    ]
    for (const [q, names] of expected) expect(await found(q), q).toEqual(names)
    expect(await found('')).toEqual(names)
    expect(await found('  ')).toEqual(names)
    await Ann.post('/api/profile', { name: 'Ａnnabel' })
    expect(await found('annab')).toEqual(['Ａnnabel'])
  })

  test('ignores accents of Latin and Greek letters only, also in names that a migration folds', async () => {
    const context = await createTestApp({ dialect })
    const people = [
      'José Echeverría',
      'Łukasz Sørensen',
      'Straße',
      'Νίκος',
      'がく',
      'かく',
      'Андрей',
      'Nguyễn Đức',
    ]
    const { Ann } = await context.members('Ann')
    const known = { name_skeleton: 'x', password_hash: 'x', created_at: new Date().toISOString() }
    const rows = people.map((name, i) => ({
      ...known,
      name,
      name_key: '',
      handle: `p${i}`,
      email: `p${i}`,
      email_key: `p${i}`,
    }))
    await transaction(context.db, async (tx) => {
      await tx.insertInto('users').values(rows).execute()
      await sql`delete from migrations where name = 'people 6'`.execute(tx)
    })
    expect((await Ann.get('/api/users?q=echeverria')).body).toEqual([])
    expect(await runMigrations(context.db, [peopleMigrations])).toEqual(['people 6'])
    const found = async (q: string) =>
      (await Ann.get(`/api/users?q=${encodeURIComponent(q)}`)).body.map(({ name }: { name: string }) => name)
    for (const [q, names] of [
      ['echeverria', ['José Echeverría']],
      ['ECHEVERRÍA', ['José Echeverría']],
      ['echeverri\u0301a', ['José Echeverría']],
      ['lukasz sor', ['Łukasz Sørensen']],
      ['strasse', ['Straße']],
      ['νικοσ', ['Νίκος']],
      ['νικος', ['Νίκος']],
      ['か', ['かく']],
      ['が', ['がく']],
      ['か\u3099', ['がく']],
      ['ｶﾞ', ['がく']],
      ['андрей', ['Андрей']],
      ['андреи', []],
      ['nguyen duc', ['Nguyễn Đức']],
    ] as const)
      expect(await found(q), q).toEqual(names)
  })

  // spec: 7.17
  test('returns public fields only, by id, in pages, including the viewer', async () => {
    const { Ann } = await withManyUsers()
    const all = await Ann.get('/api/users')
    expect(all.headers.link).toBeUndefined()
    expect(all.body[0]).toMatchObject({ id: Ann.id, name: 'Ann', profile_image: null })
    for (const user of all.body)
      for (const secret of ['email', 'password_hash', 'is_admin', 'email_key'])
        expect(user).not.toHaveProperty(secret)
    expect(await collectPages(Ann, '/api/users?limit=4')).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]])
    const some = await Ann.get('/api/users?q=x&limit=2')
    expect(some.headers.link).toMatch(/q=x\b/)
  })

  test('keeps the “before” limit on every page', async () => {
    const { Ann } = await withManyUsers()
    expect(await collectPages(Ann, '/api/users?before=6&limit=2')).toEqual([[1, 2], [3, 4], [5]])
  })

  test('requires a log-in', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    for (const path of ['/api/users', '/api/users?q=a', '/api/followings', '/api/followings/users']) {
      expect(await visitor().get(path), path).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      })
      expect((await Ann.get(path)).status, path).toBe(200)
    }
    for (const query of [`q=${'x'.repeat(256)}`, 'q=%00', 'limit=0', 'after=x'])
      expect((await Ann.get(`/api/users?${query}`)).status, query).toBe(422)
    expect((await Ann.get('/api/users?limit=999999')).status).toBe(200)
  })
})
