import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiContracts } from '#app.ts'
import { fillPath } from '#core/contract.ts'
import { createTestApp, databases, type TestClient } from '#tests/harness.ts'
import type { VisibilityRule } from '../visibility.ts'
import * as visibility from '../visibility.ts'

/**
 * The id of the person whom the visibility rule below hides from all others, as a block or a deleted account
 * does; with the id 0, the rule hides nobody.
 */
const hidden = { id: 0 }
const rule: VisibilityRule = {
  hiddenPeople: (viewer) => sql`select id from users where id = ${hidden.id} and id <> ${viewer}`,
  hiddenFrom: (person) =>
    person === hidden.id ? sql`select id from users where id <> ${person} union all select 0` : null,
}
beforeEach(() => void visibility.allRules.push(rule))
afterEach(() => void visibility.allRules.splice(visibility.allRules.indexOf(rule), 1))

const NAME = 'Hidden Person'
const WORDS = 'hidden words'

/**
 * Creates a test app with Ann and Shy, who follow each other; Shy has written to Ann. The tests then hide
 * Shy.
 */
async function open(dialect: (typeof databases)[number]) {
  hidden.id = 0
  const app = await createTestApp({ dialect })
  const { Admin, Ann, Shy } = await app.members('Admin', 'Ann', 'Shy')
  await Shy.post('/api/profile', { name: NAME })
  const { body } = await Shy.post('/api/posts', { text: WORDS })
  await Shy.post(`/api/follow/${Ann.id}`)
  await Ann.post(`/api/follow/${Shy.id}`)
  await Shy.post('/api/send-private-message', { input: WORDS, targetUserId: Ann.id })
  const { group } = (await Admin.post('/api/groups', { name: 'Garden' })).body
  for (const { id } of [Ann, Shy]) await Admin.post(`/api/groups/${group.id}/add-user`, { user_id: id })
  await Shy.post('/api/group-messages/send', { group_id: group.id, message: WORDS })
  const ids = [Shy.id, body.post.id, group.id] as number[]
  return { ...app, Admin, Ann, Shy, post: body.post.id as number, group: group.id as number, ids }
}

/**
 * Hides the person with this id. Also changes a profile, because caches are cleared only when a table
 * changes, and the visibility rule is not in the database.
 */
async function hide(who: TestClient, id: number) {
  hidden.id = id
  await who.post('/api/profile', { name: 'Ann' })
}

const readEndpoints = Object.entries(apiContracts).flatMap(([feature, contract]) =>
  Object.entries(contract)
    .filter(([, { method, access }]) => method === 'GET' && access !== 'admin')
    .map(([name, { path }]) => ({ name: `${feature}.${name}`, path })),
)

/**
 * Sends, as this person, every GET request of the API except those for admins. Returns the URL and the
 * body of each response with status 200.
 */
async function readAllEndpoints(who: TestClient, ids: readonly number[]) {
  const urls = readEndpoints.flatMap(({ path }) =>
    /:\w+/.test(path) ? ids.map((id) => path.replace(/:\w+/g, String(id))) : [fillPath(path, {})],
  )
  const found: [string, string][] = []
  for (const url of [...new Set(urls)]) {
    const { status, body } = await who.get(url)
    if (status === 200) found.push([url, JSON.stringify(body)])
  }
  return found
}

describe.each(databases)('a person who is hidden in visibility.ts, on %s', (dialect) => {
  test('is in no response to others, nor is anything that they wrote', async () => {
    const { Ann, Shy, ids } = await open(dialect)
    const isTold = ([, text]: [string, string]) => text.includes(NAME) || text.includes(WORDS)
    const before = (await readAllEndpoints(Ann, ids)).filter(isTold).map(([url]) => url)
    expect(before.length).toBeGreaterThan(6)
    await hide(Ann, Shy.id)
    expect((await readAllEndpoints(Ann, ids)).filter(isTold)).toEqual([])
    expect((await readAllEndpoints(Shy, ids)).filter(isTold).length).toBeGreaterThan(6)
  })

  test('is in no list of ids and in no count', async () => {
    const { Ann, Shy, group } = await open(dialect)
    expect((await Ann.get('/api/unread')).body).toMatchObject({
      private: { [Shy.id]: 1 },
      groups: { [group]: 2 }, // a message of the hidden person, and that Ann was added
    })
    await hide(Ann, Shy.id)
    expect((await Ann.get('/api/followings')).body).toEqual([])
    expect((await Ann.get(`/api/users/${Ann.id}`)).body).toMatchObject({
      followers_count: 0,
      following_count: 0,
    })
    expect((await Ann.get('/api/unread')).body).toEqual({ private: {}, groups: { [group]: 1 } })
    expect((await Ann.get('/api/my-groups')).body).toMatchObject([{ members_count: 2 }])
    const { body } = await Ann.get(`/api/groups/${group}`)
    expect(body).toMatchObject({ members_count: 2, reads: [] })
  })

  test('cannot be followed, liked or written to', async () => {
    const { Ann, Shy, post } = await open(dialect)
    await Ann.delete(`/api/unfollow/${Shy.id}`)
    await hide(Ann, Shy.id)
    expect((await Ann.post(`/api/follow/${Shy.id}`)).status).toBe(404)
    expect((await Ann.put(`/api/posts/${post}/like`)).status).toBe(404)
    // The status of this response must also be 404, because another status would reveal that the hidden
    // person's post exists.
    expect((await Ann.delete(`/api/posts/${post}/like`)).status).toBe(404)
    expect((await Ann.delete(`/api/posts/${post}`)).status).toBe(404)
    const letter = { input: 'Hello?', targetUserId: Shy.id }
    expect((await Ann.post('/api/send-private-message', letter)).status).toBe(404)
  })
})
