import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { contracts } from '#app.ts'
import { fillPath } from '#core/contract.ts'
import { type Actor, createTestApp, dialects } from '#tests/harness.ts'
import { visibilityRules } from '../visibility.ts'

/**
 * While it is set, nobody but the person with this id may see them: as a block or a deleted account would
 * have it.
 */
const hidden = { id: 0 }
visibilityRules.push((_, viewer) => sql<boolean>`(users.id <> ${hidden.id} or users.id = ${viewer})`)

const NAME = 'Hidden Person'
const WORDS = 'hidden words'

/** Ann and a person who wrote to her, follows her and is followed by her; then that person is hidden. */
async function open(dialect: (typeof dialects)[number]) {
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

/** Caches are emptied when a table changes that the rules read: here `users`, since the rule is no row. */
async function hide(who: Actor, id: number) {
  hidden.id = id
  await who.post('/api/profile', { name: 'Ann' })
}

const reads = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract)
    .filter(([, { method, who }]) => method === 'GET' && who !== 'admin')
    .map(([name, { path }]) => ({ name: `${feature}.${name}`, path })),
)

/** Every answer that a person may read, by the call and its ids. */
async function answers(who: Actor, ids: readonly number[]) {
  const urls = reads.flatMap(({ path }) =>
    /:\w+/.test(path) ? ids.map((id) => path.replace(/:\w+/g, String(id))) : [fillPath(path, {})],
  )
  const found: [string, string][] = []
  for (const url of [...new Set(urls)]) {
    const { status, body } = await who.get(url)
    if (status === 200) found.push([url, JSON.stringify(body)])
  }
  return found
}

describe.each(dialects)('a person who is hidden in visibility.ts, on %s', (dialect) => {
  test('is in no answer to others, nor is anything that they wrote', async () => {
    const { Ann, Shy, ids } = await open(dialect)
    const isTold = ([, text]: [string, string]) => text.includes(NAME) || text.includes(WORDS)
    const before = (await answers(Ann, ids)).filter(isTold).map(([url]) => url)
    expect(before.length).toBeGreaterThan(6)
    await hide(Ann, Shy.id)
    expect((await answers(Ann, ids)).filter(isTold)).toEqual([])
    expect((await answers(Shy, ids)).filter(isTold).length).toBeGreaterThan(6)
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
    // A refusal by another status would say that the post exists.
    expect((await Ann.delete(`/api/posts/${post}/like`)).status).toBe(404)
    expect((await Ann.delete(`/api/posts/${post}`)).status).toBe(404)
    const letter = { input: 'Hello?', targetUserId: Shy.id }
    expect((await Ann.post('/api/send-private-message', letter)).status).toBe(404)
  })
})
