import { describe, expect, test } from 'vitest'
import {
  createTestApp,
  databases,
  formData,
  readRows,
  type TestApp,
  type TestClient,
} from '#tests/harness.ts'

describe.each(databases)('likes on %s', (dialect) => {
  const open = () => createTestApp({ dialect })
  const posted = async (actor: {
    post: (path: string, body: FormData) => Promise<{ body: { post: { id: number } } }>
  }) => (await actor.post('/api/posts', formData({ text: 'Hello' }))).body.post.id

  /**
   * Returns the number of likes of a post that the API shows. Expects that the table `likes` has the same
   * number of rows for the post.
   */
  async function countOf({ db, visitor }: Pick<TestApp, 'db' | 'visitor'>, id: number): Promise<number> {
    const rows = (await readRows(db, 'likes')).filter((row) => row.post_id === id)
    const shown = (await visitor().get('/api/posts')).body.find((post: { id: number }) => post.id === id)
    expect(shown.likes_count).toBe(rows.length)
    return shown.likes_count
  }

  // spec: 7.12
  test('are toggled by POST; liked_by_me differs by viewer', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const id = await posted(Ann)
    const like = `/api/posts/${id}/like`
    expect(await Ben.post(like)).toMatchObject({ status: 200, body: { liked: true, likes_count: 1 } })
    expect(await Ann.post(like)).toMatchObject({ status: 200, body: { liked: true, likes_count: 2 } })
    expect(await Ann.post(like)).toMatchObject({ status: 200, body: { liked: false, likes_count: 1 } })
    const seen = async (actor: TestClient) => (await actor.get('/api/posts')).body[0]
    expect(await seen(Ben)).toMatchObject({ likes_count: 1, liked_by_me: true })
    expect(await seen(Ann)).toMatchObject({ likes_count: 1, liked_by_me: false })
    expect(await seen(visitor())).toMatchObject({ likes_count: 1, liked_by_me: false })
    await Ben.post(`/api/follow/${Ann.id}`)
    expect((await Ben.get('/api/posts/following')).body[0]).toMatchObject({ liked_by_me: true })
  })

  test('are set by PUT and removed by DELETE, and both can be repeated', async () => {
    const { members, ...context } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const id = await posted(Ann)
    const like = `/api/posts/${id}/like`
    expect((await Ann.delete(like)).body).toEqual({ liked: false, likes_count: 0 })
    for (const _ of [1, 2]) expect((await Ann.put(like)).body).toEqual({ liked: true, likes_count: 1 })
    // Ben cannot remove the like of Ann.
    expect((await Ben.delete(like)).body).toEqual({ liked: false, likes_count: 1 })
    expect(await countOf(context, id)).toBe(1)
    for (const _ of [1, 2]) expect((await Ann.delete(like)).body).toEqual({ liked: false, likes_count: 0 })
    expect(await countOf(context, id)).toBe(0)
  })

  test('require a log-in, an existing post and a token', async () => {
    const { members, visitor, db, ...context } = await open()
    const { Ann } = await members('Ann')
    const id = await posted(Ann)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const call = (actor: typeof guest, post: number | string, more = {}) =>
        actor.send(method, `/api/posts/${post}/like`, undefined, more)
      expect(await call(guest, id), method).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      })
      expect(await call(Ann, id, { 'x-xsrf-token': 'guessed' }), method).toMatchObject({
        status: 419,
        body: { message: 'CSRF token mismatch.' },
      })
      expect(await call(Ann, id + 1), method).toMatchObject({
        status: 404,
        body: { message: expect.any(String) },
      })
      expect((await call(Ann, 999_999_999_999_999)).status, method).toBe(404)
      for (const wrong of ['0', '-1', 'x', '1.5', '9'.repeat(30)])
        expect((await call(Ann, wrong)).status, `${method} ${wrong}`).toBe(422)
    }
    expect(await readRows(db, 'likes')).toEqual([])
    expect((await Ann.send('PUT', `/api/posts/${id}/like`, { id: id + 1 })).body).toEqual({
      liked: true,
      likes_count: 1,
    })
    expect(await countOf({ db, visitor, ...context }, id)).toBe(1)
  })

  test('of many members at the same moment are each counted once', async () => {
    const { members, ...context } = await open()
    const crowd = Object.values(await members('Ann', 'Ben', 'Chika', 'Dai'))
    const id = await posted(crowd[0]!)
    const like = `/api/posts/${id}/like`
    const all = (
      call: (actor: (typeof crowd)[number]) => Promise<{ status: number; body: { likes_count: number } }>,
    ) => Promise.all([...crowd, ...crowd, ...crowd].map(call))
    expect((await all((actor) => actor.put(like))).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(await countOf(context, id)).toBe(4)
    for (let round = 0; round < 2; round++) {
      const mixed = [
        all((actor) => actor.delete(like)),
        all((actor) => actor.put(like)),
        all((actor) => actor.post(like)),
      ]
      for (const { status, body } of (await Promise.all(mixed)).flat()) {
        expect(status).toBe(200)
        expect(body.likes_count).toBeGreaterThanOrEqual(0)
        expect(body.likes_count).toBeLessThanOrEqual(4)
      }
      await countOf(context, id)
    }
    await all((actor) => actor.delete(like))
    expect(await countOf(context, id)).toBe(0)
  })

  test('taken back while the author is blocked are subtracted once', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const ids: number[] = []
    for (let n = 0; n < 10; n++) ids.push(await posted(Ann))
    for (const id of ids) await Ben.put(`/api/posts/${id}/like`)
    const unlike = (id: number) => Ben.delete(`/api/posts/${id}/like`)
    await Promise.all([
      ...ids.slice(0, 5).map(unlike),
      Ben.post(`/api/users/${Ann.id}/block`),
      ...ids.map(unlike),
    ])
    for (const id of ids) expect(await countOf(app, id)).toBe(0)
  })

  test('toggled twice at the same moment are as before', async () => {
    const { members, ...context } = await open()
    const { Ann } = await members('Ann')
    for (let round = 0; round < 5; round++) {
      const id = await posted(Ann)
      const answers = await Promise.all([1, 2].map(() => Ann.post(`/api/posts/${id}/like`)))
      expect(answers.map(({ body }) => body.liked).sort()).toEqual([false, true])
      expect(await countOf(context, id)).toBe(0)
    }
  })
})
