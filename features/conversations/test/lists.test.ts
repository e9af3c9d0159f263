import { describe, expect, test } from 'vitest'
import {
  befriend,
  createGroup,
  eachPage,
  invalidIds,
  nextPageUrl,
  sendPrivate,
  sendToGroup,
} from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const picture = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')

describe.each(dialectsInTurn())('conversations on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve', 'ida', 'kai')) }
  }

  test('are ordered by their newest message, which they contain', async () => {
    const { ann, ben, eve } = await open()
    expect((await ann.get('/api/conversations')).body).toEqual([])
    await befriend(ann, ben)
    await befriend(ann, eve)
    // Following each other does not create a conversation; only a message does.
    expect((await ann.get('/api/conversations')).body).toEqual([])
    await sendPrivate(ann, ben, 'To Ben')
    await sendPrivate(eve, ann, 'From Eve')
    const last = await sendPrivate(ben, ann, 'From Ben')
    expect((await ann.get('/api/conversations')).body).toEqual([
      {
        user: { id: ben.id, name: 'ben', profile_image: null },
        followed: true,
        last_message: {
          id: last.id,
          user_id: ben.id,
          name: 'ben',
          message: 'From Ben',
          images_count: 0,
          deleted_at: null,
          created_at: last.created_at,
        },
      },
      expect.objectContaining({ user: { id: eve.id, name: 'eve', profile_image: null } }),
    ])
    await sendPrivate(ann, eve, 'To Eve')
    expect((await ann.get('/api/conversations')).body).toMatchObject([
      { user: { name: 'eve' }, last_message: { message: 'To Eve', user_id: ann.id, name: 'ann' } },
      { user: { name: 'ben' } },
    ])
    expect((await eve.get('/api/conversations')).body).toMatchObject([
      { user: { name: 'ann' }, last_message: { message: 'To Eve' } },
    ])
  })

  test('the people of one’s groups are listed and found by name, without oneself and others', async () => {
    const { ann, ben, eve, ida, kai } = await open()
    await createGroup(ann, 'Club', ben, eve)
    await createGroup(ann, 'Choir', eve)
    await createGroup(ann, 'Others', kai)
    await befriend(eve, ida)
    const names = async (path: string) => (await eve.get(path)).body.map(({ name }: { name: string }) => name)
    expect(await names('/api/my-groups/people')).toEqual(['ann', 'ben'])
    expect(await names('/api/my-groups/people?q=B')).toEqual(['ben'])
    const { body, headers } = await eve.get('/api/my-groups/people?limit=1')
    expect(body).toHaveLength(1)
    expect(await names(nextPageUrl({ headers } as never)!)).toEqual(['ben'])
    await eve.post(`/api/users/${ben.id}/block`)
    expect(await names('/api/my-groups/people')).toEqual(['ann'])
    expect((await ida.get('/api/my-groups/people')).body).toEqual([])
  })

  test('say whether the other person is followed', async () => {
    const { ann, ben, eve } = await open()
    await befriend(ann, ben)
    await eve.post(`/api/follow/${ann.id}`)
    await sendPrivate(ben, ann, 'Hello')
    await sendPrivate(eve, ann, 'Hello')
    const followed = async () =>
      (await ann.get('/api/conversations')).body.map((one: { followed: boolean }) => one.followed)
    expect(await followed()).toEqual([false, true])
    await ann.post(`/api/follow/${eve.id}`)
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect(await followed()).toEqual([true, false])
  })

  test('are not listed where the user unfollowed and never got a message', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect((await ann.get('/api/conversations')).body).toEqual([])
    expect((await ben.get('/api/conversations')).body).toMatchObject([
      { user: { id: ann.id }, followed: false },
    ])
    await sendPrivate(ben, ann, 'Wait')
    expect((await ann.get('/api/conversations')).body).toMatchObject([
      { user: { id: ben.id }, last_message: { message: 'Wait' } },
    ])
  })

  test('show whether the last message is deleted, its number of pictures, and the beginning of a long text', async () => {
    const { ann, ben } = await open()
    await befriend(ann, ben)
    const last = async () => (await ben.get('/api/conversations')).body[0].last_message
    const pictures = { 'images[]': [await picture(), await picture()] }
    const { message } = (
      await ann.post('/api/send-private-message', formData({ targetUserId: String(ben.id) }, pictures))
    ).body
    expect(await last()).toMatchObject({ id: message.id, message: '', images_count: 2, deleted_at: null })
    await ann.delete(`/api/chat-messages/${message.id}`)
    expect(await last()).toMatchObject({
      id: message.id,
      message: '',
      images_count: 0,
      deleted_at: expect.any(String),
    })
    const long = await sendPrivate(ann, ben, `${'😀'.repeat(150)}${'あ'.repeat(800)}`)
    const shown = await last()
    expect(shown.id).toBe(long.id)
    expect(long.message.startsWith(shown.message)).toBe(true)
    expect([...shown.message].length).toBeGreaterThanOrEqual(100)
    expect(shown.message.isWellFormed()).toBe(true)
    await ann.send('PUT', `/api/chat-messages/${long.id}`, { message: `${'a'.repeat(159)}🇯🇵!` })
    expect(await last()).toMatchObject({ message: 'a'.repeat(159) })
    await ann.send('PUT', `/api/chat-messages/${long.id}`, { message: 'Short' })
    expect(await last()).toMatchObject({ message: 'Short' })
  })

  test('are paged', async () => {
    const { ann, ben, eve, ida, kai } = await open()
    for (const other of [eve, ben, kai, ida]) {
      await befriend(ann, other)
      await sendPrivate(other, ann, 'Hello')
    }
    await sendToGroup(ann, await createGroup(ann, 'Not among them', ben), 'x')
    const names = (page: { user: { name: string } }[]) => page.map(({ user }) => user.name)
    expect(
      (await eachPage<{ user: { name: string } }>(ann, '/api/conversations?limit=2')).map(names),
    ).toEqual([
      ['ida', 'kai'],
      ['ben', 'eve'],
    ])
    expect(
      (await eachPage<{ user: { name: string } }>(ann, '/api/conversations?limit=3')).map(names),
    ).toEqual([['ida', 'kai', 'ben'], ['eve']])
    const all = await ann.get('/api/conversations')
    expect(names(all.body)).toEqual(['ida', 'kai', 'ben', 'eve'])
    expect(nextPageUrl(all)).toBeNull()
    for (const value of invalidIds)
      expect((await ann.get(`/api/conversations?before=${value}`)).status, value).toBe(422)
  })
})

describe.each(dialectsInTurn())('my groups on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve')) }
  }
  const names = (groups: { name: string }[]) => groups.map(({ name }) => name)

  // spec: 3.4, 7.26
  test('are the groups that the user belongs to, with id and name', async () => {
    const { ann, ben, eve } = await open()
    await befriend(ann, ben)
    await sendPrivate(ann, ben, 'A private chat is no group')
    const [one, two] = [await createGroup(ann, 'One', ben), await createGroup(ann, 'Two')]
    const added = { added_by: { id: ann.id, name: 'ann', profile_image: null }, added_at: expect.any(String) }
    expect((await ann.get('/api/my-groups')).body).toEqual([
      { id: two, name: 'Two', members_count: 1, last_message: null, ...added },
      { id: one, name: 'One', members_count: 2, last_message: null, ...added },
    ])
    expect((await ben.get('/api/my-groups')).body).toMatchObject([{ id: one, name: 'One', ...added }])
    expect((await eve.get('/api/my-groups')).body).toEqual([])
  })

  test('put a group that the user was just added to first, until another has a newer message', async () => {
    const { ann, ben } = await open()
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Old']) ids.push(await createGroup(ann, name))
    await sendToGroup(ann, ids[2]!, 'Said before Ben came')
    for (const group of [ids[0]!, ids[2]!, ids[1]!]) {
      // Waits for the next millisecond, because the list is sorted by times in milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 3))
      await ann.post(`/api/groups/${group}/add-user`, { user_id: ben.id })
    }
    expect(names((await ben.get('/api/my-groups')).body)).toEqual(['Two', 'Old', 'One'])
    await new Promise((resolve) => setTimeout(resolve, 3))
    await sendToGroup(ann, ids[0]!, 'x')
    expect(names((await ben.get('/api/my-groups')).body)).toEqual(['One', 'Two', 'Old'])
    expect(names((await ann.get('/api/my-groups')).body)).toEqual(['One', 'Old', 'Two'])
  })

  test('are ordered by newest message, then newest group', async () => {
    const { ann, ben } = await open()
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push(await createGroup(ann, name, ben))
    await sendToGroup(ann, ids[1]!, 'x')
    const last = await sendToGroup(ben, ids[0]!, 'Hello')
    const { body } = await ann.get('/api/my-groups')
    expect(names(body)).toEqual(['One', 'Two', 'Four', 'Three'])
    expect(body[0].last_message).toMatchObject({
      id: last.id,
      user_id: ben.id,
      name: 'ben',
      message: 'Hello',
      images_count: 0,
    })
    await sendToGroup(ann, ids[1]!, 'y')
    expect(names((await ben.get('/api/my-groups')).body)).toEqual(['Two', 'One', 'Four', 'Three'])
    await ann.send('PUT', `/api/groups/${ids[3]}`, { name: 'Vier' })
    await ann.delete(`/api/groups/${ids[0]}`)
    await ben.post(`/api/groups/${ids[2]}/leave`)
    expect(names((await ben.get('/api/my-groups')).body)).toEqual(['Two', 'Vier'])
  })

  test('are refused to visitors', async () => {
    const { visitor } = await open()
    expect(await visitor().get('/api/my-groups')).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
  })
})
