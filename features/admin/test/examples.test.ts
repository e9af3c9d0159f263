import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

const path = '/api/admin/examples'
const create = (actor: TestClient) => actor.post(path, {})
const remove = (actor: TestClient) => actor.send('DELETE', path)
const readExist = async (actor: TestClient) => (await actor.get(path)).body.exist

interface Account {
  id: number
  name: string
  is_admin: boolean
}

describe.each(dialectsInTurn())('the examples on %s', (dialect) => {
  async function open() {
    const testApp = await createTestApp({ dialect })
    const people = await testApp.members('Ann', 'Ben')
    const listExamples = async () =>
      ((await people.Ann.get('/api/admin/users')).body.userData as Account[]).filter(({ name }) =>
        name.endsWith('(example)'),
      )
    return { ...testApp, ...people, listExamples }
  }
  const countRows = async ({ db }: Awaited<ReturnType<typeof open>>) => {
    const tables = ['users', 'posts', 'likes', 'messages', 'conversations', 'conversation_members'] as const
    const counts = await Promise.all(tables.map(async (table) => (await readRows(db, table)).length))
    return Object.fromEntries(tables.map((table, index) => [table, counts[index]]))
  }

  test('are people, posts and a group, which one call removes without a row that is left', async () => {
    const opened = await open()
    const { Ann, db, mediaFiles, listExamples } = opened
    const before = await countRows(opened)
    expect(await readExist(Ann)).toBe(false)
    expect(await create(Ann)).toMatchObject({ status: 201, body: { exist: true } })
    expect(await readExist(Ann)).toBe(true)
    expect(await listExamples()).toHaveLength(3)
    expect((await Ann.get('/api/posts')).body).toHaveLength(3)
    const groups = (await Ann.get('/api/my-groups')).body
    expect(groups).toMatchObject([{ name: 'Summer party (example)' }])
    expect((await Ann.get('/api/admin/facts')).body.members).toBe(2)
    expect(await remove(Ann)).toMatchObject({ status: 200, body: { exist: false } })
    expect(await countRows(opened)).toEqual(before)
    for (const table of ['example_members', 'example_groups'] as const)
      expect(await readRows(db, table), table).toEqual([])
    expect(await mediaFiles()).toEqual([])
    expect((await remove(Ann)).status).toBe(200)
    const log = (await Ann.get('/api/audit-log')).body.map(({ action }: { action: string }) => action)
    expect(log.filter((action: string) => action.startsWith('examples_'))).toEqual([
      'examples_removed',
      'examples_created',
    ])
  })

  test('exist only once, also if two requests come at the same time', async () => {
    const { Ann, listExamples } = await open()
    const statuses = (await Promise.all([create(Ann), create(Ann)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
    expect((await create(Ann)).status).toBe(409)
    expect(await listExamples()).toHaveLength(3)
    await remove(Ann)
    expect((await create(Ann)).status).toBe(201)
  })

  test('are for admins', async () => {
    const { Ann, Ben, visitor } = await open()
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    for (const call of [create, remove]) {
      expect((await call(Ben)).status).toBe(403)
      expect((await call(stranger)).status).toBe(401)
    }
    expect(await readExist(Ann)).toBe(false)
  })

  test('get no rights and no code for a password', async () => {
    const { Ann, listExamples, db } = await open()
    await create(Ann)
    const { id } = (await listExamples())[0]!
    for (const [method, right] of [
      ['PUT', `/api/admin/users/${id}/admin`],
      ['POST', `/api/admin/users/${id}/reset-code`],
    ] as const)
      expect((await Ann.send(method, right)).status, right).toBe(403)
    const { handle } = (await readRows(db, 'users')).find((row) => row.id === id) as {
      handle: string
    }
    expect((await Ann.post('/api/moderators', { handle })).status).toBeGreaterThanOrEqual(400)
    expect(await readRows(db, 'admins')).toHaveLength(1)
    expect(await readRows(db, 'moderators')).toEqual([])
  })

  test('are removed, and what members wrote to them stays as after the deletion of an account', async () => {
    const { Ann, Ben, listExamples } = await open()
    await create(Ann)
    const { id } = (await listExamples())[0]!
    const [group] = (await Ann.get('/api/my-groups')).body
    await Ann.post('/api/group-messages/send', { message: 'I bring plates.', group_id: group.id })
    await Ben.post('/api/posts', { text: 'Mine' })
    await remove(Ann)
    const { body: messages } = await Ann.get(`/api/group-messages/${group.id}`)
    expect(JSON.stringify(messages)).toContain('I bring plates.')
    expect(JSON.stringify(messages)).not.toContain('long tables')
    expect(JSON.stringify(messages)).not.toContain('Hana')
    expect((await Ann.get('/api/posts')).body).toHaveLength(1)
    expect((await Ann.get(`/api/users/${id}`)).status).toBe(404)
  })
})
