import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, databases } from '#tests/harness.ts'
import { peopleMigrations } from '../tables.ts'

describe.each(databases)('readings of names on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const save = (fields: object) => Ann.post('/api/profile', { name: '田中 花子', ...fields })
    return { app, Ann, Ben, save }
  }

  test('are stored in one form, shown to members, kept by clients without them, and removed', async () => {
    const { Ann, Ben, save } = await open()
    expect((await Ann.get('/api/profile')).body).not.toHaveProperty('reading')
    expect((await save({ reading: ' ﾀﾅｶ　ハナコ\u200B ' })).body.user).toMatchObject({
      name: '田中 花子',
      reading: 'たなか はなこ',
    })
    expect((await save({ bio: 'x' })).body.user.reading).toBe('たなか はなこ')
    expect((await Ben.get(`/api/users/${Ann.id}`)).body.reading).toBe('たなか はなこ')
    expect((await Ben.get('/api/users')).body[0]).toMatchObject({ id: Ann.id, reading: 'たなか はなこ' })
    for (const nothing of ['', ' \u3000 ', null]) {
      await save({ reading: 'Tanaka' })
      expect((await save({ reading: nothing })).body.user).not.toHaveProperty('reading')
    }
    expect((await Ben.get(`/api/users/${Ann.id}`)).body).not.toHaveProperty('reading')
  })

  test('of other letters, or too long, are refused with the field, and change nothing', async () => {
    const { Ann, save } = await open()
    await save({ reading: 'たなか' })
    for (const reading of ['田中', 'たなか1', '・', 'Танака', `${'あ'.repeat(256)}`, 7, {}, '\0']) {
      const answer = await save({ name: 'Another', reading })
      expect([answer.status, Object.keys(answer.body.errors ?? {})], `${reading}`).toEqual([422, ['reading']])
    }
    expect((await save({ reading: '漢字' })).body.errors.reading).toEqual([
      'The reading field takes hiragana, katakana or Latin letters.',
    ])
    expect((await Ann.get('/api/profile')).body).toMatchObject({ name: '田中 花子', reading: 'たなか' })
    expect((await save({ reading: 'あ'.repeat(255) })).status).toBe(200)
  })

  test('may come with the registration', async () => {
    const { app } = await open()
    const register = async (reading: unknown) => {
      const guest = app.visitor()
      await guest.get('/sanctum/csrf-cookie')
      const password = 'correct horse'
      const account = { name: '田中', email: 'c@engawa.example', password, password_confirmation: password }
      const { status, body } = await guest.post('/api/register', { ...account, reading })
      return { status, body, me: (await guest.get('/api/user')).body }
    }
    expect(await register('田中')).toMatchObject({
      status: 422,
      body: { errors: { reading: [expect.any(String)] } },
    })
    const { body, me } = await register('ﾀﾅｶ')
    expect(Object.keys(body.user).toSorted()).toEqual(['created_at', 'email', 'id', 'name'])
    expect(me.reading).toBe('たなか')
  })

  test('get the keys of old accounts from a migration', async () => {
    const { app, save } = await open()
    await save({ reading: 'たなか' })
    const keys = async () =>
      (await app.db.selectFrom('users').select(['name_key', 'sort_key']).orderBy('id').execute()).map(
        (row) => ({
          ...row,
        }),
      )
    await transaction(app.db, async (tx) => {
      await sql`update users set name = 'ハナ', name_key = 'ハナ', sort_key = '' where name = 'Ben'`.execute(
        tx,
      )
      await sql`drop index users_sorted`.execute(tx)
      for (const column of ['reading', 'reading_key', 'sort_key'])
        await sql`alter table users drop column ${sql.ref(column)}`.execute(tx)
      await sql`delete from migrations where name = 'people readings 1'`.execute(tx)
    })
    expect(await runMigrations(app.db, [peopleMigrations])).toEqual(['people readings 1'])
    expect(await keys()).toEqual([
      { name_key: '田中 花子', sort_key: '3田中 花子\n田中 花子' },
      { name_key: 'はな', sort_key: '2はな\nはな' },
    ])
  })

  test('find people in hiragana, katakana, half-width and Latin letters, with and without spaces', async () => {
    const { Ann, Ben, save } = await open()
    await save({ reading: 'タナカ ハナコ' })
    await Ben.post('/api/profile', { name: 'サトウ', reading: 'Satō Ben' })
    const found = async (path: string, q: string) => {
      const { body } = await Ann.get(`${path}?q=${encodeURIComponent(q)}`)
      return (body.userData ?? body).map(({ id }: { id: number }) => id)
    }
    for (const path of ['/api/users', '/api/admin/users']) {
      for (const q of [
        'たなか',
        'タナカ',
        'ﾀﾅｶ',
        'たなかはな',
        'なか は',
        'はなこ',
        '花',
        '田中 花子',
        '田中花子',
      ])
        expect(await found(path, q), q).toEqual([Ann.id])
      for (const q of ['さとう', 'ｻﾄｳ', 'sato', 'SATŌ', 'satoben', 'とう'])
        expect(await found(path, q), q).toEqual([Ben.id])
      for (const q of ['だなか', 'た%か', 'た_か', '・']) expect(await found(path, q), q).toEqual([])
    }
    expect(await found('/api/mention-candidates', 'ﾍﾞﾝ')).toEqual([])
    expect(await found('/api/mention-candidates', 'ｻﾄ')).toEqual([Ben.id])
    expect(await found('/api/mention-candidates', 'ben')).toEqual([Ben.id])
    await save({ reading: '' })
    expect(await found('/api/users', 'たなか')).toEqual([])
  })

  test('bring people to the front of a mention, and show nobody whom names would not show', async () => {
    const { app, Ann, Ben } = await open()
    const { Cho, Dan } = await app.members('Cho', 'Dan')
    await Ann.post('/api/profile', { name: '花子', reading: 'はなこ' })
    await Cho.post('/api/profile', { name: '一花', reading: 'いちはな' })
    await Dan.post('/api/profile', { name: '花江', reading: 'はなえ' })
    const candidates = async () =>
      (await Ben.get(`/api/mention-candidates?q=${encodeURIComponent('ハナ')}`)).body.map(
        ({ id }: { id: number }) => id,
      )
    expect(await candidates()).toEqual([Dan.id, Ann.id, Cho.id])
    expect((await Ann.post(`/api/users/${Ben.id}/block`)).status).toBeLessThan(300)
    expect(await candidates()).toEqual([Dan.id, Cho.id])
    expect((await Ben.get(`/api/users?q=${encodeURIComponent('はなこ')}`)).body).toEqual([])
  })

  test('order members, in pages whose cursors are ids', async () => {
    const { app, Ann, Ben, save } = await open()
    const { Cho, Dan, Eve } = await app.members('Cho', 'Dan', 'Eve')
    await save({ reading: 'わだ' })
    await Cho.post('/api/profile', { name: '川', reading: 'かわ' })
    await Dan.post('/api/profile', { name: '小川', reading: 'おがわ' })
    await Eve.post('/api/profile', { name: '岡', reading: 'おか' })
    const sorted = [Ben.id, Eve.id, Dan.id, Cho.id, Ann.id]
    const pages = async (actor: typeof Ann, query: string) => {
      const found: number[][] = []
      for (let at: string | undefined = `/api/users?order=name${query}`; at && found.length < 9; ) {
        const { body, headers } = await actor.get(at)
        found.push(body.map(({ id }: { id: number }) => id))
        at = /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
      }
      return found
    }
    expect(await pages(Ann, '')).toEqual([sorted])
    expect(await pages(Ann, '&limit=2')).toEqual([sorted.slice(0, 2), sorted.slice(2, 4), sorted.slice(4)])
    expect(await pages(Ann, `&before=${Cho.id}&limit=2`)).toEqual([sorted.slice(0, 2), [Dan.id]])
    expect(await pages(Ann, `&q=${encodeURIComponent('ガワ')}`)).toEqual([[Dan.id]])
    expect((await Ann.get('/api/users')).body.map(({ id }: { id: number }) => id)).toEqual(
      sorted.toSorted((a, b) => a - b),
    )
    const { headers } = await Ann.get('/api/users?order=name&limit=2')
    const next = /^<(.+)>/.exec(String(headers.link))![1]!
    const afterwards = async () => (await Ann.get(next)).body.map(({ id }: { id: number }) => id)
    await Dan.post('/api/profile', { name: '山', reading: 'やま' })
    expect(await afterwards()).toEqual([Cho.id, Dan.id])
    await Dan.post('/api/profile', { name: '小川', reading: 'おがわ' })
    await Dan.post(`/api/users/${Ann.id}/block`)
    expect(await afterwards()).toEqual([Cho.id, Ann.id])
    await Dan.delete(`/api/users/${Ann.id}/block`)
    await Eve.post(`/api/users/${Ann.id}/block`)
    expect(await pages(Ann, '')).toEqual([sorted.filter((id) => id !== Eve.id)])
    for (const nobody of [Eve.id, 99_999]) expect(await pages(Ann, `&after=${nobody}`)).toEqual([[]])
    expect((await Ann.get('/api/users?order=age')).status).toBe(422)
  })
})
