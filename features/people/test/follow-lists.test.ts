import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'
import * as visibility from '../visibility.ts'

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

const ownRules = visibility.allRules.length
afterEach(() => void visibility.allRules.splice(ownRules))

describe.each(dialectsInTurn())('lists of people on %s', (dialect) => {
  async function open() {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ann, Ben, Cleo, Dan } = await members('Ann', 'Ben', 'Cleo', 'Dan')
    for (const member of [Ben, Cleo, Dan]) await member.post(`/api/follow/${Ann.id}`)
    await Ann.post(`/api/follow/${Dan.id}`)
    const { post } = (await Ann.post('/api/posts', { text: 'one' })).body
    for (const member of [Ben, Cleo, Dan]) await member.put(`/api/posts/${post.id}/like`)
    const lists = { followers: `/api/users/${Ann.id}/followers`, likes: `/api/posts/${post.id}/likes` }
    return { Ann, Ben, Cleo, Dan, visitor: visitor(), lists }
  }

  test('contain followers, followed people and likers, in pages', async () => {
    const { Ann, Ben, Dan, lists } = await open()
    for (const list of Object.values(lists)) {
      const first = await Ben.get(`${list}?limit=2`)
      expect(names(first.body)).toEqual(['Ben', 'Cleo'])
      const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))![1]!
      const last = await Ben.get(next)
      expect(names(last.body)).toEqual(['Dan'])
      expect(last.headers.link).toBeUndefined()
      for (const person of first.body)
        for (const secret of ['email', 'is_admin']) expect(person).not.toHaveProperty(secret)
    }
    expect(names((await Ben.get(`/api/users/${Ann.id}/following`)).body)).toEqual(['Dan'])
    expect(names((await Ben.get(`/api/users/${Dan.id}/followers`)).body)).toEqual(['Ann'])
  })

  test('require a log-in, and exist only for known people and posts', async () => {
    const { Ann, visitor, lists } = await open()
    for (const list of [...Object.values(lists), `/api/users/${Ann.id}/following`]) {
      expect((await visitor.get(list)).status).toBe(401)
      expect((await Ann.get(list.replace(/\d+/, '99999'))).status).toBe(404)
    }
  })

  test('leave out hidden people, and answer 404 for hidden people and their posts', async () => {
    const { Ann, Ben, Cleo, lists } = await open()
    // Adds a visibility rule that hides Ben and Cleo from each other.
    const pair = [Ben.id, Cleo.id]
    const other = (id: number) =>
      pair.includes(id)
        ? sql<{ id: number }>`select id from users where id in (${sql.join(pair)}) and id <> ${id}`
        : null
    visibility.allRules.push({ hiddenPeople: other, hiddenFrom: other })
    for (const list of Object.values(lists)) {
      expect(names((await Ben.get(list)).body)).toEqual(['Ben', 'Dan'])
      expect(names((await Ann.get(list)).body)).toEqual(['Ben', 'Cleo', 'Dan'])
    }
    // Adds a visibility rule that hides Ann from everybody except herself.
    visibility.allRules.push({
      hiddenPeople: (viewer) => sql`select id from users where id = ${Ann.id} and id <> ${viewer}`,
      hiddenFrom: () => null,
    })
    for (const list of [...Object.values(lists), `/api/users/${Ann.id}/following`])
      expect((await Ben.get(list)).status).toBe(404)
  })
})
