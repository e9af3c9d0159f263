import { describe, expect, test } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, databases, readRows } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { MAX_MUTED } from '../contract.ts'

describe.each(databases)('a mute on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
  }

  test('is listed for the member alone, in pages, until it ends', async () => {
    const { Ann, Ben, Cleo, db } = await open()
    for (const { id } of [Cleo, Ben, Ben])
      expect(await Ann.post(`/api/users/${id}/mute`)).toMatchObject({
        status: 200,
        body: { status: 'muted' },
      })
    const first = await Ann.get('/api/account/mutes?limit=1')
    expect(first.body).toMatchObject([{ id: Ben.id, name: 'Ben', muted_at: expect.any(String) }])
    expect(first.headers.link).toBe(`</api/account/mutes?limit=1&after=${Ben.id}>; rel="next"`)
    expect((await Ann.get(`/api/account/mutes?after=${Ben.id}`)).body).toMatchObject([{ id: Cleo.id }])
    expect((await Ben.get('/api/account/mutes')).body).toEqual([])
    for (let times = 0; times < 2; times++)
      expect((await Ann.delete(`/api/users/${Ben.id}/mute`)).body).toEqual({ status: 'unmuted' })
    expect((await Ann.get('/api/account/mutes')).body).toMatchObject([{ id: Cleo.id }])
    await transaction(db, (tx) => tx.deleteFrom('users').where('id', '=', Cleo.id).execute())
    expect(await readRows(db, 'mutes')).toEqual([])
  })

  test('is in the profile that the member reads, and in no other', async () => {
    const { Ann, Ben, Cleo } = await open()
    const path = `/api/users/${Ben.id}`
    const before = [await Ben.get(path), await Cleo.get(path), await Ben.get(`/api/users/${Ann.id}`)]
    expect((await Ann.get(path)).body).not.toHaveProperty('is_muted')
    await Ann.post(`${path}/mute`)
    expect((await Ann.get(path)).body).toMatchObject({ is_muted: true })
    const after = [await Ben.get(path), await Cleo.get(path), await Ben.get(`/api/users/${Ann.id}`)]
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })

  test('of oneself, of nobody and of a hidden person is refused', async () => {
    const { Ann, Ben, Cleo } = await open()
    const missing = { status: 404, body: { message: 'There is no such user.' } }
    expect((await Ann.post(`/api/users/${Ann.id}/mute`)).status).toBe(422)
    expect(await Ann.post('/api/users/99999/mute')).toMatchObject(missing)
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect(await Ann.post(`/api/users/${Ben.id}/mute`)).toMatchObject(missing)
    // A muted person whom a block hides leaves the list of muted people, and comes back when the block ends.
    await Ann.post(`/api/users/${Cleo.id}/mute`)
    await Cleo.post(`/api/users/${Ann.id}/block`)
    expect((await Ann.get('/api/account/mutes')).body).toEqual([])
    await Cleo.delete(`/api/users/${Ann.id}/block`)
    expect((await Ann.get('/api/account/mutes')).body).toMatchObject([{ id: Cleo.id }])
  })

  test(`is possible for at most ${MAX_MUTED} people`, async () => {
    const { Ann, Ben, Cleo, ...app } = await open()
    const ids = await insertMembers(app, MAX_MUTED - 1)
    const created_at = isoNow()
    await transaction(app.db, (tx) =>
      tx
        .insertInto('mutes')
        .values(ids.map((muted_id) => ({ muter_id: Ann.id, muted_id, created_at })))
        .execute(),
    )
    expect((await Ann.post(`/api/users/${Ben.id}/mute`)).status).toBe(200)
    expect((await Ann.post(`/api/users/${Cleo.id}/mute`)).status).toBe(422)
    expect((await Ann.post(`/api/users/${Ben.id}/mute`)).status).toBe(200)
  })
})
