import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

describe.each(dialectsInTurn())('a suspension on %s', (dialect) => {
  const open = () => createTestApp({ dialect })
  const logIn = async (actor: TestClient, password = 'correct horse') => {
    await actor.get('/sanctum/csrf-cookie')
    return actor.post('/login', { email: 'ben@engawa.example', password })
  }

  test('ends the sessions and sockets of that member only', async () => {
    const { context, members, visitor, db } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    const phone = visitor()
    expect((await logIn(phone)).status).toBe(204)
    const committed: Promise<unknown[]>[] = []
    const revoke = vi
      .spyOn(context.realtime, 'revoke')
      .mockImplementation(() => void committed.push(readRows(db, 'suspensions')))
    const answer = await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(answer).toMatchObject({
      status: 200,
      body: { id: Ben.id, name: 'Ben', is_admin: false, suspended_at: expect.any(String) },
    })
    expect(revoke.mock.calls).toEqual([[{ user: Ben.id }]])
    expect(await committed[0], 'whoever is sent away cannot come back in').toHaveLength(1)
    for (const actor of [Ben, phone]) {
      expect((await actor.get('/api/user')).status).toBe(401)
      expect((await actor.post('/api/posts', { text: 'Still here?' })).status).toBe(401)
    }
    expect((await Chika.get('/api/user')).status).toBe(200)
    expect(await readRows(db, 'suspensions')).toMatchObject([
      { user_id: Ben.id, suspended_by: Ann.id, created_at: answer.body.suspended_at },
    ])
    expect((await readRows(db, 'sessions')).map((row) => row.user_id).sort()).toEqual([Ann.id, Chika.id])
  })

  test('is revealed only to somebody who logs in with the right password', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    const guest = visitor()
    expect(await logIn(guest)).toMatchObject({
      status: 403,
      body: { message: 'This account is suspended. Please contact an admin.' },
    })
    expect((await guest.get('/api/user')).status).toBe(401)
    expect(await logIn(visitor(), 'guessed')).toMatchObject({
      status: 422,
      body: { message: 'These credentials do not match our records.' },
    })
    expect(await readRows(db, 'sessions')).toHaveLength(1)
  })

  test('also blocks a session that was created at the same moment', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await transaction(db, (tx) =>
      tx
        .insertInto('suspensions')
        .values({ user_id: Ben.id, suspended_by: Ann.id, created_at: new Date().toISOString() })
        .execute(),
    )
    expect((await Ben.get('/api/user')).status).toBe(401)
  })

  test('can be repeated safely, and can be lifted', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const path = `/api/admin/users/${Ben.id}/suspension`
    const { body: first } = await Ann.put(path)
    expect((await Ann.put(path)).body.suspended_at).toBe(first.suspended_at)
    for (const _ of [1, 2])
      expect(await Ann.delete(path)).toMatchObject({ status: 200, body: { id: Ben.id, suspended_at: null } })
    expect(await readRows(db, 'suspensions')).toEqual([])
    expect((await Ben.get('/api/user')).status, 'the old session stays ended').toBe(401)
    const back = visitor()
    expect((await logIn(back)).status).toBe(204)
    expect((await back.get('/api/user')).body).toMatchObject({ id: Ben.id })
  })

  test('is refused for oneself, for admins and for unknown users', async () => {
    const { context, members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const revoke = vi.spyOn(context.realtime, 'revoke')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect(await Ann.put(`/api/admin/users/${Ann.id}/suspension`)).toMatchObject({
      status: 403,
      body: { message: 'You cannot suspend yourself.' },
    })
    expect(await Ann.put(`/api/admin/users/${Ben.id}/suspension`)).toMatchObject({
      status: 403,
      body: { message: 'Admins cannot be suspended. Remove their admin rights first.' },
    })
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await Ann.send(method, `/api/admin/users/${Ben.id + 1}/suspension`)).status).toBe(404)
    expect(await readRows(db, 'suspensions')).toEqual([])
    expect(revoke).not.toHaveBeenCalled()
    expect((await Ben.get('/api/user')).status).toBe(200)
  })

  test("keeps the member's posts, and is visible to admins only", async () => {
    const { members } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    await Ben.post('/api/posts', { text: 'Before' })
    const { body } = await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await Chika.get('/api/posts')).body).toMatchObject([{ body: 'Before', user: { name: 'Ben' } }])
    expect((await Chika.get('/api/users')).body[1]).not.toHaveProperty('suspended_at')
    const { userData } = (await Ann.get('/api/admin/users')).body
    expect(userData.map((row: { suspended_at: string | null }) => row.suspended_at)).toEqual([
      null,
      body.suspended_at,
      null,
    ])
  })
})
