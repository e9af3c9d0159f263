import { describe, expect, test } from 'vitest'
import { type Actor, createGroup, spyOnBroadcasts, userChannels } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

describe.each(dialectsInTurn())('the history of group changes on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve')) }
  }
  const rename = (who: Actor, group: number, name: string) =>
    who.send('PUT', `/api/groups/${group}`, { name })
  const add = (who: Actor, group: number, { id }: Actor) =>
    who.post(`/api/groups/${group}/add-user`, { user_id: id })
  const remove = (who: Actor, group: number, { id }: Actor) =>
    who.delete(`/api/groups/${group}/members/${id}`)
  const leave = (who: Actor, group: number) => who.post(`/api/groups/${group}/leave`)
  const changes = async (who: Actor, group: number) => (await who.get(`/api/groups/${group}`)).body.changes
  const person = ({ id }: Actor, name: string) => ({ id, name, profile_image: null })

  test('is shown to members, oldest first', async () => {
    const { ann, ben, eve } = await open()
    const group = await createGroup(ann, 'Club', ben, eve)
    await rename(ann, group, 'Circle')
    await remove(ann, group, eve)
    await add(ann, group, eve)
    await leave(eve, group)
    const shown = await changes(ben, group)
    const [byAnn, byEve] = [person(ann, 'ann'), person(eve, 'eve')]
    expect(shown).toMatchObject([
      { kind: 'created', actor: byAnn, person: null, name: 'Club' },
      { kind: 'added', actor: byAnn, person: person(ben, 'ben'), name: null },
      { kind: 'added', actor: byAnn, person: byEve, name: null },
      { kind: 'renamed', actor: byAnn, person: null, name: 'Circle' },
      { kind: 'removed', actor: byAnn, person: byEve, name: null },
      { kind: 'added', actor: byAnn, person: byEve, name: null },
      { kind: 'left', actor: byEve, person: byEve, name: null },
    ])
    const ids = shown.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect((await ben.get('/api/my-groups')).body).toMatchObject([{ name: 'Circle' }])
  })

  test('gets no entry where nothing changed', async () => {
    const { ann, ben, eve, ...testApp } = await open()
    const group = await createGroup(ann, 'Club', ben)
    const before = await changes(ann, group)
    const { recorded } = spyOnBroadcasts(testApp)
    for (const answer of [
      await rename(ann, group, ' Club '),
      await add(ann, group, ben),
      await remove(ann, group, eve),
    ])
      expect(answer.status).toBe(200)
    expect((await leave(eve, group)).status).toBe(403)
    expect(await changes(ann, group)).toEqual(before)
    expect(recorded()).toEqual([])
  })

  test('contains the newest two hundred changes', async () => {
    const { ann } = await open()
    const group = await createGroup(ann, 'Club')
    for (let i = 1; i <= 203; i++) await rename(ann, group, `Club ${i}`)
    const shown = await changes(ann, group)
    expect(shown).toHaveLength(200)
    expect(shown[0]).toMatchObject({ name: 'Club 4' })
    expect(shown.at(-1)).toMatchObject({ name: 'Club 203' })
  })

  test("is broadcast to the group's channel, to all members, and to a removed member", async () => {
    const { ann, ben, eve, ...testApp } = await open()
    const { recorded, clear } = spyOnBroadcasts(testApp)
    const group = await createGroup(ann, 'Club')
    const channel = `private-group-chat.${group}`
    /**
     * Returns the realtime events that were broadcast since the last call of this function, with their
     * recipients.
     */
    const takeBroadcasts = () => {
      const all = recorded('GroupChanged').map(({ to, event, data }) => ({
        to: to.sort(),
        event,
        kind: data.change.kind,
        groupId: data.groupId,
      }))
      clear()
      return all
    }
    const to = (kind: string, ...people: Actor[]) => [
      {
        to: [channel, ...userChannels(...people)].sort(),
        event: 'GroupChanged',
        kind,
        groupId: group,
      },
    ]
    expect(takeBroadcasts()).toEqual(to('created', ann))
    await add(ann, group, ben)
    expect(takeBroadcasts()).toEqual(to('added', ann, ben))
    await add(ann, group, eve)
    expect(takeBroadcasts()).toEqual(to('added', ann, ben, eve))
    await rename(ann, group, 'Circle')
    expect(takeBroadcasts()).toEqual(to('renamed', ann, ben, eve))
    await remove(ann, group, eve)
    expect(takeBroadcasts()).toEqual(to('removed', ann, ben, eve))
    await leave(ben, group)
    expect(takeBroadcasts()).toEqual(to('left', ann, ben))
    await ann.delete(`/api/groups/${group}`)
    expect(takeBroadcasts()).toEqual(to('deleted', ann))
  })

  test('is broadcast in the same shape as it is read', async () => {
    const { ann, ben, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const group = await createGroup(ann, 'Club', ben)
    await rename(ann, group, 'Circle')
    expect(recorded('GroupChanged').map(({ data }) => data.change)).toEqual(await changes(ben, group))
  })
})
