import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

describe.each(dialectsInTurn())('follows on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  // spec: 4.1, 7.19, 7.20, 7.21, 7.22
  test('are one-directional, can be repeated safely, and can be removed', async () => {
    const { members, db } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    for (const _ of [1, 2])
      expect(await Ann.post(`/api/follow/${Ben.id}`)).toMatchObject({
        status: 200,
        body: { status: 'followed' },
      })
    await Ann.post(`/api/follow/${Chika.id}`)
    expect((await Ann.get('/api/followings')).body).toEqual([Ben.id, Chika.id])
    expect((await Ann.get('/api/followings/users')).body).toMatchObject([
      { id: Ben.id, name: 'Ben', profile_image: null },
      { id: Chika.id, name: 'Chika', profile_image: null },
    ])
    expect((await Ben.get('/api/followings')).body).toEqual([])
    // The request of Chika to unfollow Ben does not delete Ann's follow of Ben.
    await Chika.delete(`/api/unfollow/${Ben.id}`)
    expect((await Ann.get('/api/followings')).body).toHaveLength(2)
    for (const _ of [1, 2])
      expect(await Ann.delete(`/api/unfollow/${Ben.id}`)).toMatchObject({
        status: 200,
        body: { status: 'unfollowed' },
      })
    expect((await Ann.get('/api/followings')).body).toEqual([Chika.id])
    expect(await readRows(db, 'follows')).toHaveLength(1)
  })

  test('of oneself, of unknown users and of invalid ids are refused', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect(await Ann.post(`/api/follow/${Ann.id}`)).toMatchObject({
      status: 422,
      body: { message: expect.any(String) },
    })
    expect(await Ann.post(`/api/follow/${Ben.id + 1}`)).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
    for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30)])
      expect((await Ann.post(`/api/follow/${id}`)).status, id).toBe(422)
    expect(await readRows(db, 'follows')).toEqual([])
    expect((await Ann.delete(`/api/unfollow/${Ben.id + 1}`)).status).toBe(200)
    expect((await Ann.send('POST', `/api/follow/${Ben.id}`, { id: Ann.id })).status).toBe(200)
  })

  test('require a log-in and a token', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const [method, path] of [
      ['POST', `/api/follow/${Ben.id}`],
      ['DELETE', `/api/unfollow/${Ben.id}`],
    ] as const) {
      expect((await guest.send(method, path)).status).toBe(401)
      expect((await Ann.send(method, path, undefined, { 'x-xsrf-token': '' })).status).toBe(419)
      expect((await Ann.send(method, path)).status).toBe(200)
    }
    expect(await readRows(db, 'follows')).toEqual([])
  })

  test('made several times at the same moment are stored once', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const answers = await Promise.all(Array.from({ length: 8 }, () => Ann.post(`/api/follow/${Ben.id}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await readRows(db, 'follows')).toHaveLength(1)
  })

  test('are listed in pages', async () => {
    const { members } = await open()
    const { Ann, Ben, Chika, Dai } = await members('Ann', 'Ben', 'Chika', 'Dai')
    for (const { id } of [Dai, Ben, Chika]) await Ann.post(`/api/follow/${id}`)
    const first = await Ann.get('/api/followings/users?limit=2')
    expect(first.body.map(({ name }: { name: string }) => name)).toEqual(['Ben', 'Chika'])
    const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))![1]!
    const last = await Ann.get(next)
    expect(last.body.map(({ name }: { name: string }) => name)).toEqual(['Dai'])
    expect(last.headers.link).toBeUndefined()
  })
})
