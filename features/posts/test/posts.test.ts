import { describe, expect, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'

const post = async (actor: TestClient, text: string): Promise<number> => {
  const answer = await actor.post('/api/posts', formData({ text }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post.id
}

/** Inserts `count` posts of a user directly into the table `posts`, so that the tests have a long list. */
const fill = (db: Db, user_id: number, count: number) =>
  transaction(db, (tx) =>
    tx
      .insertInto('posts')
      .values(
        Array.from({ length: count }, (_, i) => ({
          user_id,
          body: `no. ${i + 1}`,
          created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString(),
        })),
      )
      .execute(),
  )

const ids = (answer: { body: { id: number }[] }) => answer.body.map(({ id }) => id)

/** Returns the URL of the next page from the header `Link` of a response; undefined on the last page. */
const next = ({ headers }: { headers: Record<string, unknown> }) =>
  /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]

async function walk(actor: TestClient, path: string) {
  const pages: number[][] = []
  for (let at: string | undefined = path; at && pages.length < 20; ) {
    const answer = await actor.get(at)
    expect(answer.status).toBe(200)
    pages.push(ids(answer))
    at = next(answer)
  }
  return pages
}

describe.each(dialectsInTurn())('posts on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  // spec: 3.2, 7.10
  test('are shown to everybody, newest first, with all that the page needs', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const answer = await Ann.post('/api/posts', formData({ text: 'First' }))
    const first = {
      id: 1,
      body: 'First',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      user: { id: Ann.id, name: 'Ann', profile_image: null },
      images: [],
      bookmarked_by_me: false,
      likes_count: 0,
      replies_count: 0,
      liked_by_me: false,
    }
    expect(answer).toMatchObject({ status: 201, body: { message: 'Post submitted successfully.' } })
    expect(answer.body.post).toEqual(first)
    await post(Ben, 'Second')
    const list = await visitor().get('/api/posts')
    expect(list).toMatchObject({
      status: 200,
      body: [{ id: 2, body: 'Second', user: { name: 'Ben' } }, first],
    })
    expect(list.headers.link).toBeUndefined()
    expect(list.body[1]).toEqual(first)
  })

  test('are paged with Link headers; the last page has none', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    expect(await walk(visitor(), '/api/posts')).toEqual([[]])
    await fill(db, Ann.id, 6)
    expect(await walk(visitor(), '/api/posts?limit=4')).toEqual([
      [6, 5, 4, 3],
      [2, 1],
    ])
    expect(await walk(visitor(), '/api/posts?limit=3')).toEqual([
      [6, 5, 4],
      [3, 2, 1],
    ])
    expect(await walk(visitor(), '/api/posts?limit=6')).toEqual([[6, 5, 4, 3, 2, 1]])
    expect(ids(await visitor().get('/api/posts?before=3'))).toEqual([2, 1])
    expect(ids(await visitor().get('/api/posts?after=4'))).toEqual([6, 5])
    expect(ids(await visitor().get('/api/posts?before=5&after=2'))).toEqual([4, 3])
    expect(ids(await visitor().get('/api/posts?before=1'))).toEqual([])
  })

  test('keep the “after” limit on every page', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    await fill(db, Ann.id, 6)
    expect(await walk(visitor(), '/api/posts?after=1&limit=2')).toEqual([[6, 5], [4, 3], [2]])
  })

  test('a page does not change when somebody posts', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    await fill(db, Ann.id, 4)
    const first = await visitor().get('/api/posts?limit=2')
    await post(Ann, 'Meanwhile')
    expect(ids(first)).toEqual([4, 3])
    expect(ids(await visitor().get(next(first)!))).toEqual([2, 1])
  })

  test('are fifty per page, at most a hundred; an invalid limit is refused', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await fill(db, Ann.id, 101)
    await Ben.post(`/api/follow/${Ann.id}`)
    for (const path of ['/api/posts', '/api/posts/following']) {
      expect((await Ben.get(path)).body).toHaveLength(50)
      expect((await Ben.get(`${path}?before=&limit=`)).body).toHaveLength(50)
      expect((await walk(Ben, `${path}?limit=5000`)).map((page) => page.length)).toEqual([100, 1])
      for (const query of ['limit=0', 'limit=-1', 'limit=ten', 'before=x', 'after=1.5']) {
        const answer = await Ben.get(`${path}?${query}`)
        expect(answer.status, query).toBe(422)
        expect(Object.keys(answer.body.errors)).toEqual([query.split('=')[0]])
      }
    }
    expect((await walk(visitor(), '/api/posts')).map((page) => page.length)).toEqual([50, 50, 1])
  })

  // spec: 2.5, 7.11
  test('of followed people, and of nobody else, are in the feed', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    for (const actor of [Ann, Ben, Chika, Ben]) await post(actor, 'Hello')
    expect(ids(await Ann.get('/api/posts/following'))).toEqual([])
    await Ann.post(`/api/follow/${Ben.id}`)
    expect(await walk(Ann, '/api/posts/following?limit=1')).toEqual([[4], [2]])
    expect(ids(await Ben.get('/api/posts/following'))).toEqual([])
    await Ann.post(`/api/follow/${Chika.id}`)
    expect(ids(await Ann.get('/api/posts/following'))).toEqual([4, 3, 2])
    expect(ids(await Ann.get('/api/posts/following?before=4'))).toEqual([3, 2])
    await Ann.delete(`/api/unfollow/${Ben.id}`)
    expect(ids(await Ann.get('/api/posts/following'))).toEqual([3])
    expect(await visitor().get('/api/posts/following')).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
  })

  test('may be sent as JSON too, and only by members with a token', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const guest = visitor()
    expect((await guest.post('/api/posts', { text: 'x' })).status).toBe(419)
    await guest.get('/sanctum/csrf-cookie')
    expect((await guest.post('/api/posts', { text: 'x' })).status).toBe(401)
    expect((await guest.post('/api/posts', formData({ text: 'x' }))).status).toBe(401)
    expect((await Ann.send('POST', '/api/posts', { text: 'x' }, { 'x-xsrf-token': '' })).status).toBe(419)
    expect(await readRows(db, 'posts')).toEqual([])
    const answer = await Ann.post('/api/posts', {
      text: 'x',
      id: 99,
      user_id: 7,
      likes_count: 5,
      created_at: '2000-01-01T00:00:00.000Z',
    })
    expect(answer).toMatchObject({
      status: 201,
      body: { post: { id: 1, user: { id: Ann.id }, likes_count: 0 } },
    })
    expect(answer.body.post.created_at).not.toMatch(/^2000/)
    expect(await Ann.put('/api/posts')).toMatchObject({
      status: 405,
      headers: { allow: expect.stringMatching(/GET.*POST/) },
    })
  })

  test('are trimmed, with unified line breaks, and otherwise unchanged', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const written: [string, string][] = [
      [' \r\n one\r\n\r\ntwo \t', 'one\n\ntwo'],
      ['<b>&amp;"\'\\ %s \u2028', '<b>&amp;"\'\\ %s'],
      ['👩‍👩‍👧‍👦 が゙ e\u0301 \u202e', '👩‍👩‍👧‍👦 が゙ e\u0301 \u202e'],
      ['half \ud83d of a pair', 'half \ufffd of a pair'],
      ['　全角の空白　', '全角の空白'],
    ]
    for (const [text, body] of written)
      expect(await Ann.post('/api/posts', { text })).toMatchObject({ status: 201, body: { post: { body } } })
    expect((await visitor().get('/api/posts')).body.map((one: { body: string }) => one.body)).toEqual(
      written.map(([, body]) => body).reverse(),
    )
  })

  test('have one to five thousand characters (code points) at first', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    for (const text of ['😀'.repeat(5000), ` ${'語'.repeat(5000)}\n`, 'x']) {
      expect((await Ann.post('/api/posts', formData({ text }))).status).toBe(201)
    }
    for (const text of [
      '😀'.repeat(5001),
      'x'.repeat(5001),
      'nul \0 char',
      '',
      ' \n\u3000',
      null,
      7,
      ['x'],
    ]) {
      const answer = await Ann.post('/api/posts', { text })
      expect(answer, JSON.stringify(text)).toMatchObject({
        status: 422,
        body: { errors: { text: [answer.body.message] } },
      })
    }
    expect((await Ann.post('/api/posts', formData({ text: 'nul \0 char' }))).status).toBe(422)
    expect((await readRows(db, 'posts')).map(({ body }) => [...String(body)].length)).toEqual([5000, 5000, 1])
  })

  test('are stored once per client id, however often and concurrently they are sent', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const answers = await Promise.all(
      [1, 2, 3].map(() => Ann.post('/api/posts', { text: 'once', client_id: 'a1' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.post.id)).size).toBe(1)
    expect((await Ann.post('/api/posts', { text: 'another', client_id: 'a2' })).body.post.body).toBe(
      'another',
    )
    expect((await Ben.post('/api/posts', { text: 'his own', client_id: 'a1' })).body.post.body).toBe(
      'his own',
    )
    for (let i = 0; i < 2; i++) await Ben.post('/api/posts', { text: 'without' })
    expect((await readRows(db, 'posts')).map(({ body }) => body)).toEqual([
      'once',
      'another',
      'his own',
      'without',
      'without',
    ])
    expect((await Ann.post('/api/posts', { text: 'x', client_id: 'x'.repeat(65) })).status).toBe(422)
  })
})
