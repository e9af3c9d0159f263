import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

type Member = TestClient & { id: number }

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  const group = await createGroup(people.Ann, 'Garden', people.Ben, people.Cleo)
  return { ...app, ...people, group }
}
const quotesOf = async (who: Member) =>
  (await who.get('/api/notifications')).body.filter(({ kind }: { kind: string }) => kind === 'quote')

describe.each(dialectsInTurn())('notifications about quotes on %s', (dialect) => {
  test('tell the author of the quoted message, in one row for each group', async () => {
    const { Ann, Ben, Cleo, group } = await open(dialect)
    const { id } = await sendToGroup(Ben, group, 'Mine')
    await sendToGroup(Ann, group, 'One', { quotes_id: id })
    await sendToGroup(Cleo, group, 'Two', { quotes_id: id })
    await sendToGroup(Ben, group, 'My own', { quotes_id: id })
    expect(await quotesOf(Ben)).toMatchObject([
      { people: [{ name: 'Cleo' }, { name: 'Ann' }], people_count: 2, group: { id: group, name: 'Garden' } },
    ])
    for (const who of [Ann, Cleo]) expect(await quotesOf(who)).toEqual([])
  })

  test('have the text of the newest message whose author the member has not blocked', async () => {
    const { Ann, Ben, Cleo, group } = await open(dialect)
    const { id } = await sendToGroup(Ben, group, 'Mine')
    const first = await sendToGroup(Ann, group, 'One', { quotes_id: id })
    const second = await sendToGroup(Cleo, group, 'Two', { quotes_id: id })
    expect(await quotesOf(Ben)).toMatchObject([{ message_id: second.id, message_body: 'Two' }])
    await Ben.post(`/api/users/${Cleo.id}/block`)
    expect(await quotesOf(Ben)).toMatchObject([{ message_id: first.id, message_body: 'One' }])
  })

  test('come for no quote in a private chat', async () => {
    const { Ann, Ben } = await open(dialect)
    await befriend(Ann, Ben)
    const { id } = await sendPrivate(Ben, Ann, 'Mine')
    await sendPrivate(Ann, Ben, 'Quoted', { quotes_id: id })
    expect(await quotesOf(Ben)).toEqual([])
  })

  test('end with the message, and when the member leaves the group', async () => {
    const { Ann, Ben, Cleo, group, db } = await open(dialect)
    const { id } = await sendToGroup(Ben, group, 'Mine')
    const quoting = await sendToGroup(Ann, group, 'One', { quotes_id: id })
    expect((await Ann.delete(`/api/chat-messages/${quoting.id}`)).status).toBeLessThan(300)
    expect(await quotesOf(Ben)).toEqual([])
    await sendToGroup(Ann, group, 'Two', { quotes_id: id })
    await Ann.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect((await Ben.get('/api/notifications')).body).toEqual([])
    await sendToGroup(Cleo, group, 'Three', { quotes_id: id })
    const rows = await readRows(db, 'notifications')
    expect(rows.filter(({ user_id }) => user_id === Ben.id)).toEqual([])
  })
})
