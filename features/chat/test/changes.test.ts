import { describe, expect, test } from 'vitest'
import { groupOf, listenAs, type Member, userChannels } from '#tests/chat.ts'
import { createTestApp, dialects } from '#tests/harness.ts'

describe.each(dialects)('what happens to a group on %s', (dialect) => {
  const open = async () => {
    const place = await createTestApp({ dialect })
    return { ...place, ...(await place.members('ann', 'ben', 'eve')) }
  }
  const rename = (who: Member, group: number, name: string) =>
    who.send('PUT', `/api/groups/${group}`, { name })
  const add = (who: Member, group: number, { id }: Member) =>
    who.post(`/api/groups/${group}/add-user`, { user_id: id })
  const remove = (who: Member, group: number, { id }: Member) =>
    who.delete(`/api/groups/${group}/members/${id}`)
  const leave = (who: Member, group: number) => who.post(`/api/groups/${group}/leave`)
  const changes = async (who: Member, group: number) => (await who.get(`/api/groups/${group}`)).body.changes
  const person = ({ id }: Member, name: string) => ({ id, name, profile_image: null })

  test('is shown to its members, oldest first', async () => {
    const { ann, ben, eve } = await open()
    const group = await groupOf(ann, 'Club', ben, eve)
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

  test('is nothing where nothing changed', async () => {
    const { ann, ben, eve, ...place } = await open()
    const group = await groupOf(ann, 'Club', ben)
    const before = await changes(ann, group)
    const { heard } = listenAs(place)
    for (const answer of [
      await rename(ann, group, ' Club '),
      await add(ann, group, ben),
      await remove(ann, group, eve),
    ])
      expect(answer.status).toBe(200)
    expect((await leave(eve, group)).status).toBe(403)
    expect(await changes(ann, group)).toEqual(before)
    expect(heard()).toEqual([])
  })

  test('is shown as far as the newest two hundred', async () => {
    const { ann } = await open()
    const group = await groupOf(ann, 'Club')
    for (let i = 1; i <= 203; i++) await rename(ann, group, `Club ${i}`)
    const shown = await changes(ann, group)
    expect(shown).toHaveLength(200)
    expect(shown[0]).toMatchObject({ name: 'Club 4' })
    expect(shown.at(-1)).toMatchObject({ name: 'Club 203' })
  })

  test('is told to the group, to all of its members, and to whoever it was done to', async () => {
    const { ann, ben, eve, ...place } = await open()
    const { heard, forget } = listenAs(place)
    const group = await groupOf(ann, 'Club')
    const channel = `private-group-chat.${group}`
    /** The events that were sent since the last call, with their recipients. */
    const told = () => {
      const all = heard().map(({ to, event, data }) => ({
        to: to.sort(),
        event,
        kind: data.change.kind,
        groupId: data.groupId,
      }))
      forget()
      return all
    }
    const to = (kind: string, ...people: Member[]) => [
      { to: [channel, ...userChannels(...people)].sort(), event: 'GroupChanged', kind, groupId: group },
    ]
    expect(told()).toEqual(to('created', ann))
    await add(ann, group, ben)
    expect(told()).toEqual(to('added', ann, ben))
    await add(ann, group, eve)
    expect(told()).toEqual(to('added', ann, ben, eve))
    await rename(ann, group, 'Circle')
    expect(told()).toEqual(to('renamed', ann, ben, eve))
    await remove(ann, group, eve)
    expect(told()).toEqual(to('removed', ann, ben, eve))
    await leave(ben, group)
    expect(told()).toEqual(to('left', ann, ben))
    await ann.delete(`/api/groups/${group}`)
    expect(told()).toEqual(to('deleted', ann))
  })

  test('is told as it is shown', async () => {
    const { ann, ben, ...place } = await open()
    const { heard } = listenAs(place)
    const group = await groupOf(ann, 'Club', ben)
    await rename(ann, group, 'Circle')
    expect(heard('GroupChanged').map(({ data }) => data.change)).toEqual(await changes(ben, group))
  })
})
