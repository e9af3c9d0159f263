import { describe, expect, test } from 'vitest'
import {
  type Actor,
  createGroup,
  eachPage,
  invalidIds,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
  userChannels,
} from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

const notIds = [...invalidIds, '', null, undefined, {}, [1], true]

describe.each(dialectsInTurn())('groups on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve', 'ida')) }
  }
  const add = (who: Actor, group: unknown, user_id: unknown) =>
    who.post(`/api/groups/${group}/add-user`, { user_id })
  const names = async (who: Actor, group: number) =>
    (await who.get(`/api/groups/${group}/members`)).body.map(({ name }: { name: string }) => name)
  const said = { message: expect.stringMatching(/.+\.$/) }
  /** Sends, as `who`, each request that only members of the group may send. Returns the response statuses. */
  const rights = async (who: Actor, group: unknown) => [
    (await who.get(`/api/groups/${group}`)).status,
    (await who.get(`/api/groups/${group}/members`)).status,
    (await who.get(`/api/group-messages/${group}`)).status,
    (await who.post('/api/group-messages/send', { group_id: group, message: 'Hello' })).status,
    (await who.send('PUT', `/api/groups/${group}/read`, { last_read_id: 1 })).status,
    (await who.post('/my-broadcast-auth', { socket_id: '1.1', channel_name: `private-group-chat.${group}` }))
      .status,
  ]
  const [granted, refused] = [Array(6).fill(200), Array(6).fill(403)]

  // spec: 7.29
  test('are created by admins, who become members at once', async () => {
    const { ann, ben } = await open()
    const { status, body } = await ann.post('/api/groups', { name: '  Café  del \n mar ' })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...said, group: { id: expect.any(Number), name: 'Café del mar' } },
    })
    expect(await rights(ann, body.group.id)).toEqual(granted)
    expect(await names(ann, body.group.id)).toEqual(['ann'])
    expect(await rights(ben, body.group.id)).toEqual(refused)
  })

  test('have a name of 1 to 255 characters, which need not be unique', async () => {
    const { ann, db } = await open()
    for (const name of ['', ' ', null, undefined, 5, ['x'], 'a'.repeat(256), '😀'.repeat(256)])
      expect(await ann.post('/api/groups', { name }), JSON.stringify(name)).toMatchObject({
        status: 422,
        body: { errors: { name: {} } },
      })
    expect(await readRows(db, 'conversations')).toEqual([])
    for (const name of ['😀'.repeat(255), 'Club', 'Club'])
      expect((await ann.post('/api/groups', { name })).status).toBe(201)
    const group = await createGroup(ann, 'Club')
    for (const name of ['', null, 'a'.repeat(256)])
      expect((await ann.send('PUT', `/api/groups/${group}`, { name })).status, JSON.stringify(name)).toBe(422)
  })

  // spec: 6.4
  test('are changed only by admins with a token', async () => {
    const { ann, ben, eve, visitor } = await open()
    const group = await createGroup(ann, 'Club', ben)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const [method, path, body] of [
      ['POST', '/api/groups', { name: 'Mine' }],
      ['POST', `/api/groups/${group}/add-user`, { user_id: eve.id }],
      ['PUT', `/api/groups/${group}`, { name: 'Mine' }],
      ['DELETE', `/api/groups/${group}/members/${ann.id}`, undefined],
      ['DELETE', `/api/groups/${group}`, undefined],
    ] as const) {
      expect((await guest.send(method, path, body)).status, path).toBe(401)
      for (const who of [ben, eve])
        expect(await who.send(method, path, body), path).toMatchObject({ status: 403, body: said })
      expect((await ann.send(method, path, body, { 'x-xsrf-token': 'guessed' })).status, path).toBe(419)
    }
    expect(await names(ann, group)).toEqual(['ann', 'ben'])
    expect((await ben.get('/api/my-groups')).body).toMatchObject([{ name: 'Club' }])
  })

  // spec: 7.30
  test('are accessible to added members; adding again is harmless', async () => {
    const { ann, ben, db, ...testApp } = await open()
    const group = await createGroup(ann, 'Club')
    const { recorded } = spyOnBroadcasts(testApp)
    for (const id of [ben.id, String(ben.id), ben.id, ann.id])
      expect(await add(ann, group, id)).toMatchObject({ status: 200, body: said })
    await Promise.all(Array.from({ length: 8 }, () => add(ann, group, testApp.eve.id)))
    expect(await names(ben, group)).toEqual(['ann', 'ben', 'eve'])
    expect(await rights(ben, group)).toEqual(granted)
    expect(recorded('GroupChanged').map(({ data }) => data.change.person.name)).toEqual(['ben', 'eve'])
    expect(await readRows(db, 'conversation_members')).toHaveLength(3)
  })

  test('cannot get unknown users as members; an unknown group is refused', async () => {
    const { ann, ben, eve } = await open()
    const group = await createGroup(ann, 'Club', ben)
    for (const id of [UNUSED_ID, ...notIds])
      expect(await add(ann, group, id), JSON.stringify(id)).toMatchObject({
        status: 422,
        body: { errors: { user_id: [expect.any(String)] } },
      })
    expect((await add(ann, UNUSED_ID, ben.id)).status).toBe(404)
    for (const id of invalidIds) expect((await add(ann, id, ben.id)).status, id).toBe(422)
    expect(await names(ann, group)).toEqual(['ann', 'ben'])
    // An id in the request body does not replace the id of the group in the path.
    expect((await ann.post(`/api/groups/${group}/add-user`, { id: UNUSED_ID, user_id: eve.id })).status).toBe(
      200,
    )
  })

  // spec: 7.27
  test('are accessible to members only, not to admins who are not members', async () => {
    const { ann, ben, eve, visitor } = await open()
    const group = await createGroup(ann, 'Club', ben)
    await ann.post(`/api/groups/${group}/leave`)
    expect((await ann.get('/api/user')).body.is_admin).toBe(true)
    for (const who of [ann, eve]) {
      expect(await rights(who, group)).toEqual(refused)
      expect((await who.post(`/api/groups/${group}/leave`)).status).toBe(403)
    }
    expect((await ann.get('/api/my-groups')).body).toEqual([])
    // An admin who is not a member can still manage the group.
    expect((await add(ann, group, eve.id)).status).toBe(200)
    expect((await ann.send('PUT', `/api/groups/${group}`, { name: 'Renamed' })).status).toBe(200)
    expect((await ann.delete(`/api/groups/${group}/members/${ben.id}`)).status).toBe(200)
    const guest = visitor()
    for (const path of [
      `/api/groups/${group}`,
      `/api/groups/${group}/members`,
      `/api/group-messages/${group}`,
    ])
      expect((await guest.get(path)).status, path).toBe(401)
  })

  test('are not found by the id of a private chat or by an unknown id', async () => {
    const { ann, ben, db } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    const [pair] = (await readRows(db, 'conversations')) as { id: number }[]
    for (const id of [pair!.id, UNUSED_ID]) {
      expect(await rights(ann, id)).toEqual(refused)
      expect((await ann.post(`/api/groups/${id}/leave`)).status).toBe(403)
      expect((await add(ann, id, ben.id)).status).toBe(404)
      expect((await ann.send('PUT', `/api/groups/${id}`, { name: 'Mine' })).status).toBe(404)
      expect((await ann.delete(`/api/groups/${id}/members/${ben.id}`)).status).toBe(404)
      expect((await ann.delete(`/api/groups/${id}`)).status).toBe(404)
    }
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toHaveLength(1)
  })

  test('are not accessible to removed members', async () => {
    const { ann, ben, eve } = await open()
    const group = await createGroup(ann, 'Club', ben, eve)
    const remove = (user: unknown) => ann.delete(`/api/groups/${group}/members/${user}`)
    for (const _ of [1, 2]) expect(await remove(ben.id)).toMatchObject({ status: 200, body: said })
    expect(await rights(ben, group)).toEqual(refused)
    expect(await rights(eve, group)).toEqual(granted)
    expect((await remove(UNUSED_ID)).status).toBe(200)
    for (const id of invalidIds) expect((await remove(id)).status, id).toBe(422)
    // A member who was removed can be added again.
    await add(ann, group, ben.id)
    expect(await rights(ben, group)).toEqual(granted)
  })

  test('can be left only once', async () => {
    const { ann, ben } = await open()
    const group = await createGroup(ann, 'Club', ben)
    expect(await ben.post(`/api/groups/${group}/leave`)).toMatchObject({ status: 200, body: said })
    expect(await rights(ben, group)).toEqual(refused)
    expect((await ben.post(`/api/groups/${group}/leave`)).status).toBe(403)
    await add(ann, group, ben.id)
    const answers = await Promise.all(Array.from({ length: 6 }, () => ben.post(`/api/groups/${group}/leave`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403])
    expect((await ann.get(`/api/groups/${group}`)).body.members_count).toBe(1)
  })

  test('are deleted with all their messages', async () => {
    const { ann, ben, db, ...testApp } = await open()
    const [group, other] = [await createGroup(ann, 'Club', ben), await createGroup(ann, 'Other', ben)]
    await sendToGroup(ben, group, 'Hello')
    await sendToGroup(ben, other, 'Stays')
    const { recorded } = spyOnBroadcasts(testApp)
    expect(await ann.delete(`/api/groups/${group}`)).toMatchObject({ status: 200, body: said })
    expect((await ann.delete(`/api/groups/${group}`)).status).toBe(404)
    for (const who of [ann, ben]) {
      expect(await rights(who, group)).toEqual(refused)
      expect((await who.get('/api/my-groups')).body).toMatchObject([{ name: 'Other' }])
    }
    expect((await ben.get('/api/unread')).body).toEqual({ private: {}, groups: {} })
    for (const table of ['conversation_members', 'messages', 'group_changes'])
      expect(
        (await readRows(db, table)).filter((row) => Number(row.conversation_id) === group),
        table,
      ).toEqual([])
    expect((await ann.get(`/api/group-messages/${other}`)).body).toMatchObject([{ message: 'Stays' }])
    expect(recorded('GroupChanged')).toMatchObject([
      { data: { groupId: group, change: { kind: 'deleted', actor: { id: ann.id } } } },
    ])
    expect(recorded('GroupChanged')[0]!.to).toEqual(
      expect.arrayContaining([`private-group-chat.${group}`, ...userChannels(ann, ben)]),
    )
  })

  test('accept no message from a member after their removal', async () => {
    const { ann, ben } = await open()
    for (let round = 0; round < 5; round++) {
      const group = await createGroup(ann, 'Club', ben)
      const send = (n: number) => ben.post('/api/group-messages/send', { group_id: group, message: `${n}` })
      const [removal, ...answers] = await Promise.all([
        ann.delete(`/api/groups/${group}/members/${ben.id}`),
        ...[1, 2, 3, 4].map(send),
      ])
      expect(removal.status).toBe(200)
      for (const { status } of answers) expect([200, 403]).toContain(status)
      expect((await ann.get(`/api/group-messages/${group}`)).body).toHaveLength(
        answers.filter(({ status }) => status === 200).length,
      )
      expect((await send(5)).status).toBe(403)
    }
  })

  test('list their members in pages, with who added each', async () => {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, eve, ida } = await testApp.members('ann', 'ben', 'eve', 'ida')
    expect((await ann.put(`/api/admin/users/${ben.id}/admin`)).status).toBe(200)
    const group = await createGroup(ann, 'Club', ida, ben)
    expect((await add(ben, group, eve.id)).status).toBe(200)
    const who = ({ id }: Actor, name: string) => ({ id, name, profile_image: null })
    const [byAnn, byBen] = [who(ann, 'ann'), who(ben, 'ben')].map((added_by) => ({
      added_by,
      added_at: expect.stringMatching(/Z$/),
    }))
    await ida.post('/api/profile', { name: 'ida', reading: 'いだ' })
    expect((await ben.get(`/api/groups/${group}/members`)).body).toEqual([
      { ...who(ann, 'ann'), ...byAnn },
      { ...who(ben, 'ben'), ...byAnn },
      { ...who(eve, 'eve'), ...byBen },
      { ...who(ida, 'ida'), reading: 'いだ', ...byAnn },
    ])
    const pages = await eachPage<{ name: string }>(eve, `/api/groups/${group}/members?limit=3`)
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([['ann', 'ben', 'eve'], ['ida']])
    expect((await ben.get(`/api/groups/${group}`)).body).toMatchObject({
      id: group,
      name: 'Club',
      members_count: 4,
      last_read_id: 0,
      reads: [],
    })
  })
})
