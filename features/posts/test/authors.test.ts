import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, formData, type TestClient } from '#tests/harness.ts'
import { countRowsRead, planReaders, recordSelects } from '#tests/query-plans.ts'

const write = async (actor: TestClient, text: string): Promise<number> =>
  (await actor.post('/api/posts', formData({ text }))).body.post.id

describe.each(dialectsInTurn())('an author on %s', (dialect) => {
  async function open() {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('Ada', 'Ben', 'Cleo')) }
  }

  test('is shown to members with bio and counts', async () => {
    const { Ada, Ben, Cleo } = await open()
    await Ben.post('/api/profile', { name: 'Ben', bio: 'Fishes.\nSings.' })
    await write(Ben, 'One')
    await write(Ben, 'Two')
    await write(Cleo, 'Three')
    await Ben.post(`/api/follow/${Cleo.id}`)
    await Ben.post(`/api/follow/${Ada.id}`)
    await Cleo.post(`/api/follow/${Ben.id}`)
    const ben = {
      id: Ben.id,
      name: 'Ben',
      profile_image: null,
      bio: 'Fishes.\nSings.',
      handle: 'ben',
      shares_name: false,
      created_at: expect.stringMatching(/Z$/),
      posts_count: 2,
      following_count: 2,
      followers_count: 1,
    }
    expect((await Cleo.get(`/api/users/${Ben.id}`)).body).toEqual({ ...ben, follows_me: true })
    const own = await Ben.get(`/api/users/${Ben.id}`)
    expect(own.body).toEqual({ ...ben, follows_me: false })
    expect(JSON.stringify(own.body)).not.toContain('@')
    expect((await Ben.get(`/api/users/${Ada.id}`)).body).toMatchObject({
      followers_count: 1,
      follows_me: false,
      bio: null,
    })
  })

  test('has a list of their posts, newest first, in pages', async () => {
    const { Ben, Cleo } = await open()
    const mine: number[] = []
    for (const text of ['One', 'Two', 'Three']) {
      mine.unshift(await write(Ben, text))
      await write(Cleo, text)
    }
    await Cleo.put(`/api/posts/${mine[0]}/like`)
    const first = await Cleo.get(`/api/users/${Ben.id}/posts?limit=2`)
    expect(first.body).toMatchObject([
      { id: mine[0], liked_by_me: true, user: { name: 'Ben' } },
      { id: mine[1] },
    ])
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
    const second = await Cleo.get(next)
    expect(second.body).toMatchObject([{ id: mine[2] }])
    expect(second.headers.link).toBeUndefined()
    expect((await Cleo.get('/api/users/99/posts')).body).toEqual([])
  })

  test('uses an index on the author, and does not scan newer posts of others', async () => {
    const { Ada, Ben, db } = await open()
    await write(Ben, 'Mine')
    const others = Array.from({ length: 400 }, () => ({
      user_id: Ada.id,
      body: 'Newer',
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    await transaction(db, (tx) => tx.insertInto('posts').values(others).execute())
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    const page = () => Ada.get(`/api/users/${Ben.id}/posts`)
    const [query] = await recordSelects(db, /order by p\.id \+ 0 desc/, page)
    expect((await planReaders[dialect](db, query!)).join('\n')).toContain('posts_author')
    if (dialect === 'postgres') expect(await countRowsRead(db, query!)).toBeLessThan(20)
    expect((await page()).body).toMatchObject([{ body: 'Mine' }])
  })

  test('requires a log-in, and answers 404 for unknown users', async () => {
    const { Ben, visitor } = await open()
    for (const path of [`/api/users/${Ben.id}`, `/api/users/${Ben.id}/posts`])
      expect((await visitor().get(path)).status).toBe(401)
    expect(await Ben.get('/api/users/99')).toMatchObject({
      status: 404,
      body: { message: 'There is no such user.' },
    })
    expect((await Ben.get('/api/users/none')).status).toBe(422)
  })
})

describe.each(dialectsInTurn())('the first steps on %s', (dialect) => {
  test('tell new members which steps they have done', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const steps = async (who: TestClient) => (await who.get('/api/first-steps')).body
    const { Ada } = await members('Ada')
    expect(await steps(Ada)).toEqual({ others: false, follows: false, posted: false })
    const { Ben } = await members('Ben')
    expect(await steps(Ada)).toEqual({ others: true, follows: false, posted: false })
    await Ben.post(`/api/follow/${Ada.id}`)
    await write(Ada, 'Hello')
    expect(await steps(Ada)).toEqual({ others: true, follows: false, posted: true })
    expect(await steps(Ben)).toEqual({ others: true, follows: true, posted: false })
    expect((await visitor().get('/api/first-steps')).status).toBe(401)
  })
})
