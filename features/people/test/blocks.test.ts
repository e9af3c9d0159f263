import { describe, expect, test, vi } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, databases, readRows, type TestClient } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { MAX_BLOCKED } from '../contract.ts'

type Member = TestClient & { id: number }
const block = (who: Member, whom: { id: number }) => who.post(`/api/users/${whom.id}/block`)
const unblock = (who: Member, whom: { id: number }) => who.delete(`/api/users/${whom.id}/block`)
const missing = { status: 404, body: { message: 'There is no such user.' } }

describe.each(databases)('a block on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    return { ...app, ...(await app.members('Ann', 'Ben', 'Cleo')) }
  }

  test('hides both people from each other, until it ends', async () => {
    const { Ann, Ben, Cleo } = await open()
    expect(await block(Ann, Ben)).toMatchObject({ status: 200, body: { status: 'blocked' } })
    for (const [who, whom] of [
      [Ann, Ben],
      [Ben, Ann],
    ] as const) {
      expect(await who.get(`/api/users/${whom.id}`)).toMatchObject(missing)
      expect(await who.post(`/api/follow/${whom.id}`)).toMatchObject(missing)
      expect((await who.get('/api/users')).body.map(({ id }: Member) => id)).toEqual(
        [Ann.id, Ben.id, Cleo.id].filter((id) => id !== whom.id),
      )
      expect((await who.get(`/api/users/${Cleo.id}`)).status).toBe(200)
    }
    expect((await Cleo.get('/api/users')).body).toHaveLength(3)
    expect(await unblock(Ann, Ben)).toMatchObject({ status: 200, body: { status: 'unblocked' } })
    expect((await Ben.get(`/api/users/${Ann.id}`)).status).toBe(200)
  })

  test('ends both follows and the likes of each other, and they do not come back', async () => {
    const { Ann, Ben, Cleo, db } = await open()
    const { post } = (await Ben.post('/api/posts', { text: 'By Ben' })).body
    for (const who of [Ann, Cleo]) await who.put(`/api/posts/${post.id}/like`)
    for (const [who, whom] of [
      [Ann, Ben],
      [Ben, Ann],
      [Cleo, Ben],
    ] as const)
      await who.post(`/api/follow/${whom.id}`)
    await block(Ann, Ben)
    await unblock(Ann, Ben)
    expect(await readRows(db, 'follows')).toMatchObject([{ follower_id: Cleo.id, followed_id: Ben.id }])
    expect((await Ben.get(`/api/posts/${post.id}`)).body).toMatchObject({ likes_count: 1 })
    expect((await Ann.get(`/api/posts/${post.id}`)).body).toMatchObject({
      likes_count: 1,
      liked_by_me: false,
    })
    expect((await Ben.get(`/api/posts/${post.id}/likes`)).body).toMatchObject([{ id: Cleo.id }])
  })

  test('is harmless when repeated, and announced once', async () => {
    const { Ann, Ben, context } = await open()
    const emit = vi.spyOn(context, 'emit')
    for (let times = 0; times < 2; times++) expect((await block(Ann, Ben)).status).toBe(200)
    for (let times = 0; times < 2; times++) expect((await unblock(Ann, Ben)).status).toBe(200)
    const about = { blocker_id: Ann.id, blocked_id: Ben.id }
    expect(emit.mock.calls.map(([, name, data]) => [name, data])).toEqual([
      ['member.blocked', about],
      ['member.unblocked', about],
    ])
  })

  test('of oneself, of nobody and by a blocked person is refused', async () => {
    const { Ann, Ben } = await open()
    expect((await block(Ann, Ann)).status).toBe(422)
    expect(await block(Ann, { id: 99_999 })).toMatchObject(missing)
    await block(Ann, Ben)
    expect(await block(Ben, Ann)).toMatchObject(missing)
    expect((await unblock(Ben, Ann)).body).toEqual({ status: 'unblocked' })
    expect(await Ben.get(`/api/users/${Ann.id}`)).toMatchObject(missing)
  })

  test('is listed for the blocker alone, in pages', async () => {
    const { Ann, Ben, Cleo, visitor } = await open()
    for (const whom of [Cleo, Ben]) await block(Ann, whom)
    const first = await Ann.get('/api/account/blocks?limit=1')
    expect(first.body).toMatchObject([{ id: Ben.id, name: 'Ben', blocked_at: expect.any(String) }])
    expect(first.headers.link).toBe(`</api/account/blocks?limit=1&after=${Ben.id}>; rel="next"`)
    expect((await Ann.get(`/api/account/blocks?after=${Ben.id}`)).body).toMatchObject([{ id: Cleo.id }])
    expect((await Ben.get('/api/account/blocks')).body).toEqual([])
    expect((await visitor().get('/api/account/blocks')).status).toBe(401)
  })

  test(`is possible for at most ${MAX_BLOCKED} people`, async () => {
    const { Ann, Ben, Cleo, ...app } = await open()
    const ids = await insertMembers(app, MAX_BLOCKED - 1)
    await transaction(app.db, async (tx) => {
      const rows = ids.map((blocked_id) => ({ blocker_id: Ann.id, blocked_id, created_at: isoNow() }))
      await tx.insertInto('blocks').values(rows).execute()
    })
    expect((await block(Ann, Ben)).status).toBe(200)
    expect((await block(Ann, Cleo)).status).toBe(422)
    expect((await block(Ann, Ben)).status).toBe(200)
    expect((await block(Ben, Cleo)).status).toBe(200)
  })

  test('and a follow at the same moment do not both stay', async () => {
    const { Ann, Ben, db } = await open()
    for (let round = 0; round < 10; round++) {
      const follows = [Ben.post(`/api/follow/${Ann.id}`), Ann.post(`/api/follow/${Ben.id}`)]
      const answers = await Promise.all([...follows, block(Ann, Ben)])
      expect(answers[2]!.status).toBe(200)
      expect(await readRows(db, 'follows')).toEqual([])
      await unblock(Ann, Ben)
    }
  })

  test('of each other at the same moment leaves one, and ends with the account', async () => {
    const { Ann, Ben, db } = await open()
    const answers = await Promise.all([block(Ann, Ben), block(Ben, Ann)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await readRows(db, 'blocks')).toHaveLength(1)
    await transaction(db, (tx) => tx.deleteFrom('users').where('id', '=', Ben.id).execute())
    expect(await readRows(db, 'blocks')).toEqual([])
  })
})
