import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import * as accountDeletions from '#features/account/deletion.ts'
import { grantAdmin, revokeAdmin } from '#features/people/admins.ts'
import { createTestApp, databases, readRows, type TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

/**
 * How long a test waits before it sends the rest of a request body, in ms. It is longer than `SLOW_BODY` in
 * core/http/endpoints.ts, so that the server checks the rights of the member again after the body has
 * arrived.
 */
const SLOW_BODY_WAIT = 1300

/**
 * Starts a POST request and sends the beginning of its body. The returned `finish` sends the rest, and
 * returns the status of the response.
 */
function startSlowPost(url: string, { jar }: TestClient, path: string, body: object) {
  const text = JSON.stringify(body)
  const call = request(new URL(path, url), {
    method: 'POST',
    headers: {
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN')!),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  })
  call.write(text.slice(0, 3))
  return async () => {
    call.end(text.slice(3))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
}

describe.each(databases)('the admin right on %s', (dialect) => {
  const open = () => createTestApp({ dialect })
  const isAdmin = async (actor: TestClient) => (await actor.get('/api/user')).body.is_admin

  test('is granted and revoked, can be repeated safely, and stores who granted it', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const path = `/api/admin/users/${Ben.id}/admin`
    for (const _ of [1, 2])
      expect(await Ann.put(path)).toMatchObject({
        status: 200,
        body: { id: Ben.id, name: 'Ben', email: 'ben@engawa.example', is_admin: true, suspended_at: null },
      })
    expect(await readRows(db, 'admins')).toMatchObject([
      { user_id: Ann.id, granted_by: null },
      { user_id: Ben.id, granted_by: Ann.id },
    ])
    expect(await isAdmin(Ben)).toBe(true)
    expect((await Ben.get('/api/admin/users')).status).toBe(200)
    for (const _ of [1, 2])
      expect(await Ann.delete(path)).toMatchObject({ status: 200, body: { id: Ben.id, is_admin: false } })
    expect(await isAdmin(Ben)).toBe(false)
    expect((await Ben.get('/api/admin/users')).status).toBe(403)
  })

  test('that ends while the body of a request arrives does not serve this request', async () => {
    const { members, url, db } = await realtimeApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const { group } = (await Ann.post('/api/groups', { name: 'Secret' })).body
    const calls = [
      startSlowPost(url, Ben, `/api/groups/${group.id}/add-user`, { user_id: Ben.id }),
      startSlowPost(url, Ben, '/api/admin/invitations', { max_uses: 10, days: 7 }),
    ]
    await sleep(SLOW_BODY_WAIT)
    await Ann.delete(`/api/admin/users/${Ben.id}/admin`)
    expect(await Promise.all(calls.map((finish) => finish()))).toEqual([403, 403])
    expect(await readRows(db, 'invitations')).toEqual([])
  })

  test('cannot be taken from the last admin', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const last = {
      status: 403,
      body: { message: 'This is the last admin. Make somebody else an admin first.' },
    }
    expect(await Ann.delete(`/api/admin/users/${Ann.id}/admin`)).toMatchObject(last)
    expect((await Ann.delete(`/api/admin/users/${Ben.id}/admin`)).status).toBe(200)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect(await Ann.delete(`/api/admin/users/${Ann.id}/admin`)).toMatchObject({
      status: 200,
      body: { is_admin: false },
    })
    expect(await isAdmin(Ann)).toBe(false)
    expect(await Ben.delete(`/api/admin/users/${Ben.id}/admin`)).toMatchObject(last)
  })

  test('stays with one of two admins who revoke each other at the same moment', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const answers = await Promise.all([
      Ann.delete(`/api/admin/users/${Ben.id}/admin`),
      Ben.delete(`/api/admin/users/${Ann.id}/admin`),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await readRows(db, 'admins')).toHaveLength(1)
  })

  test('stays with one of two admins who delete their accounts at the same moment', async () => {
    const { members, db, context } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const answers = await Promise.all(
      [Ann, Ben].map((client) => client.send('DELETE', '/api/account', { messages: 'keep' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    // Another transaction takes the admin rights of the admin who stays, too. Then the deletion of the other
    // admin's account waits until there is another admin.
    const [leaving, staying] = answers[0]!.status === 200 ? [Ann, Ben] : [Ben, Ann]
    // An admin who has requested the deletion of their account cannot take the rights of another admin. The
    // operator's command can.
    expect((await leaving.delete(`/api/admin/users/${staying.id}/admin`)).status).toBe(403)
    await transaction(db, (tx) => revokeAdmin(tx, staying.id))
    expect(await leaving.delete(`/api/admin/users/${leaving.id}/admin`)).toMatchObject({ status: 403 })
    const [deletion] = await readRows(db, 'account_deletions')
    const due_at = String(deletion!.due_at)
    await accountDeletions.run(context, { user_id: leaving.id, due_at })
    expect(await readRows(db, 'admins')).toMatchObject([{ user_id: leaving.id }])
    expect(await readRows(db, 'users')).toHaveLength(2)
  })

  test('is not given to a suspended account by ADMIN_EMAIL or the command line', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(await transaction(db, (tx) => grantAdmin(tx, Ben.id))).toBe(false)
    expect(await readRows(db, 'admins')).toHaveLength(1)
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    expect(await transaction(db, (tx) => grantAdmin(tx, Ben.id))).toBe(true)
    expect(await readRows(db, 'admins')).toHaveLength(2)
  })

  test('is not granted to unknown or suspended users', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await Ann.send(method, `/api/admin/users/${Ben.id + 1}/admin`)).toMatchObject({
        status: 404,
        body: { message: 'There is no such user.' },
      })
      for (const id of ['0', '-1', 'x'])
        expect((await Ann.send(method, `/api/admin/users/${id}/admin`)).status, id).toBe(422)
    }
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(await Ann.put(`/api/admin/users/${Ben.id}/admin`)).toMatchObject({
      status: 403,
      body: { message: expect.any(String) },
    })
    expect(await readRows(db, 'admins')).toMatchObject([{ user_id: Ann.id }])
  })

  // spec: 6.4
  test('gives access to every endpoint of this feature, and nothing else does', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    const reads = ['users', `users/${Chika.id}/verification-link`, 'groups', 'facts'].map(
      (path) => ['GET', path] as const,
    )
    const writes = ['admin', 'suspension'].flatMap((what) =>
      (['PUT', 'DELETE'] as const).map((method) => [method, `users/${Chika.id}/${what}`] as const),
    )
    for (const [method, path] of [...reads, ...writes]) {
      const call = `${method} ${path}`
      expect(await guest.send(method, `/api/admin/${path}`), call).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      })
      expect(await Ben.send(method, `/api/admin/${path}`), call).toMatchObject({
        status: 403,
        body: { message: 'Only admins may do this.' },
      })
    }
    for (const [method, path] of writes)
      expect(
        (await Ann.send(method, `/api/admin/${path}`, undefined, { 'x-xsrf-token': 'guessed' })).status,
        path,
      ).toBe(419)
    expect(await readRows(db, 'admins')).toHaveLength(1)
    expect(await readRows(db, 'suspensions')).toEqual([])
    for (const [method, path] of [...reads, ...writes])
      expect((await Ann.send(method, `/api/admin/${path}`)).status, path).toBe(200)
  })
})
