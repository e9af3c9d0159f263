import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { names, overview, post, reply, startScene } from './search-scene.ts'

describe.each(dialectsInTurn())('what a search shows on %s', (dialect) => {
  test('ends with the membership of a group, also its posts and near spellings', async () => {
    const { Admin, Ann, Ben, stranger } = await startScene(dialect)
    const group = await createGroup(Admin, 'Club', Ann, Ben)
    const { id } = await sendToGroup(Ann, group, 'the secret umbrella')
    const inGroup = await post(Ann, 'umbrella for the group', { audience: 'group', group_id: group })
    const answer = await reply(Ann, inGroup, 'umbrella again')
    expect(await names(Ben, 'umbrella')).toEqual([`reply ${answer}`, `post ${inGroup}`, `message ${id}`])
    expect((await overview(Ben, 'umbrelal')).suggestion).toBe('umbrella')
    expect((await Admin.delete(`/api/groups/${group}/members/${Ben.id}`)).status).toBe(200)
    for (const who of [Ben, stranger])
      for (const more of ['', `&in=group:${group}`, '&kind=message', '&kind=file'])
        expect(await names(who, 'umbrella', more)).toEqual([])
    expect(await names(Ben, 'umbrella in:Club')).toEqual([])
    expect(await overview(Ben, 'umbrelal')).toMatchObject({ sections: [], suggestion: null, filters: [] })
    expect(await overview(Ben, 'umbrella from:Ben')).toMatchObject({ sections: [], filters: [] })
    expect((await Ben.get(`/api/search/attachments?has=link&in=group:${group}`)).body).toEqual([])
    expect(await names(Ann, 'umbrella')).toHaveLength(3)
  })

  test('follows the audience of posts', async () => {
    const { Ann, Ben, Cleo, stranger } = await startScene(dialect)
    await Ben.post(`/api/follow/${Ann.id}`)
    const [all, members, followers] = [
      await post(Ann, 'rain'),
      await post(Ann, 'rain', { audience: 'members' }),
      await post(Ann, 'rain', { audience: 'followers' }),
    ]
    const answer = await reply(Ann, followers, 'rain')
    expect(await names(Ben, 'rain')).toEqual([
      `reply ${answer}`,
      ...[followers, members, all].map((id) => `post ${id}`),
    ])
    expect(await names(Cleo, 'rain')).toEqual([members, all].map((id) => `post ${id}`))
    expect(await names(stranger, 'rain')).toEqual([`post ${all}`])
    expect(await names(stranger, 'Ann')).toEqual([])
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await names(Ben, 'rain')).toHaveLength(2)
  })

  test('hides people who block each other, muted people in groups, and what moderators hide', async () => {
    const { Admin, Ann, Ben, Cleo } = await startScene(dialect)
    const group = await createGroup(Admin, 'Club', Ann, Ben, Cleo)
    const shown = await post(Ann, 'rain')
    await sendToGroup(Ann, group, 'rain')
    expect(await names(Ben, 'rain')).toHaveLength(2)
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect([await names(Ben, 'rain'), await names(Ben, 'Ann')]).toEqual([[], []])
    await Ben.delete(`/api/users/${Ann.id}/block`)
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect(await names(Ben, 'rain')).toEqual([])
    await Ann.delete(`/api/users/${Ben.id}/block`)
    await Ben.post(`/api/users/${Ann.id}/mute`)
    expect(await names(Ben, 'rain')).toEqual([`post ${shown}`])
    await Cleo.post('/api/reports', { kind: 'post', id: shown, reason: 'spam' })
    const [{ id }] = (await Admin.get('/api/moderation/cases')).body
    const hidden = await Admin.post(`/api/moderation/cases/${id}/decisions`, { action: 'hide', note: 'x' })
    expect(hidden.status, JSON.stringify(hidden.body)).toBeLessThan(300)
    expect(await names(Ben, 'rain')).toEqual([])
    expect(await names(Ann, 'rain')).toHaveLength(2)
  })

  test('needs an open private chat', async () => {
    const { Ann, Ben, Cleo } = await startScene(dialect)
    await befriend(Ann, Ben)
    const { id } = await sendPrivate(Ann, Ben, 'rain')
    expect(await names(Ben, 'rain', `&in=person:${Ann.id}`)).toEqual([`message ${id}`])
    expect(await names(Cleo, 'rain')).toEqual([])
    expect(await names(Cleo, 'rain', `&in=person:${Ann.id}`)).toEqual([])
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect(await names(Ann, 'rain')).toEqual([])
  })

  test('is for members only in a community for members', async () => {
    const { Admin, Ann, stranger } = await startScene(dialect)
    await post(Ann, 'rain')
    expect((await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })).status).toBe(200)
    for (const path of ['?q=rain', '/overview?q=rain', '/attachments?has=link'])
      expect((await stranger.get(`/api/search${path}`)).status, path).toBe(401)
    expect(await names(Ann, 'rain')).toHaveLength(1)
  })
})
