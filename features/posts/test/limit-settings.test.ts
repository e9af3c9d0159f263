import { describe, expect, test } from 'vitest'
import { type Actor, befriend, createGroup } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { fourColours } from '#tests/pictures.ts'

describe.each(dialectsInTurn())('the limits that admins choose on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const save = (change: object) => people.ann.send('PATCH', '/api/admin/settings', change)
    return { ...app, ...people, save }
  }
  const post = (who: Actor, text: string, client_id?: string) => who.post('/api/posts', { text, client_id })
  const picture = fourColours().png().toBuffer()
  async function send(who: Actor, path: string, fields: Record<string, string>, count: number) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    for (let i = 0; i < count; i++)
      form.append('images[]', new File([new Uint8Array(await picture)], `${i}.png`, { type: 'image/png' }))
    return who.post(path, form)
  }

  test('are those of the API at first, and take only certain values', async () => {
    const { ann, ben, save } = await open()
    expect((await post(ben, 'x'.repeat(5000))).status).toBe(201)
    for (const change of [
      { max_post_length: 10_001 },
      { max_post_length: 0 },
      { max_pictures: 5 },
      { max_pictures: -1 },
      { max_group_members: 1 },
      { max_group_members: '10' },
    ])
      expect((await save(change)).status, JSON.stringify(change)).toBe(422)
    expect((await ben.send('PATCH', '/api/admin/settings', { max_pictures: 1 })).status).toBe(403)
    expect((await ann.get('/post', { accept: 'text/html' })).body).not.toMatch(/maxPostLength|maxPictures/)
  })

  test('apply to the length of new posts, counted in characters, and not to a repeated one', async () => {
    const { ben, save } = await open()
    const long = '😀'.repeat(141)
    expect((await post(ben, long, 'a')).status).toBe(201)
    await save({ max_post_length: 140 })
    expect((await post(ben, long, 'a')).status).toBe(201)
    expect(await post(ben, long, 'b')).toMatchObject({
      status: 422,
      body: { errors: { text: ['The text field must not be longer than 140 characters.'] } },
    })
    expect((await post(ben, '😀'.repeat(140), 'b')).status).toBe(201)
    expect((await ben.get('/post', { accept: 'text/html' })).body).toContain('"maxPostLength":140')
    await save({ max_post_length: 10_000 })
    expect((await post(ben, '😀'.repeat(10_000))).status).toBe(201)
    expect((await post(ben, '😀'.repeat(10_001))).status).toBe(422)
  })

  test('apply to the length and the pictures of replies, also when they are changed', async () => {
    const { ben, save, db } = await open()
    const path = `/api/posts/${(await post(ben, 'Hello')).body.post.id}/replies`
    await save({ max_post_length: 140, max_pictures: 0 })
    const long = { text: 'x'.repeat(141) }
    const refused = { status: 422, body: { errors: { text: [expect.stringContaining('140')] } } }
    expect(await ben.post(path, long)).toMatchObject(refused)
    expect((await send(ben, path, { text: 'x' }, 1)).status).toBe(422)
    expect(await readRows(db, 'replies')).toEqual([])
    const { status, body } = await ben.post(path, { text: 'x'.repeat(140) })
    expect(status).toBe(201)
    expect(await ben.put(`/api/replies/${body.reply.id}`, long)).toMatchObject(refused)
  })

  test('apply to the pictures of new posts and messages, and leave none behind', async () => {
    const { ann, ben, save, db } = await open()
    await befriend(ann, ben)
    const group = String(await createGroup(ann, 'Club', ben))
    await save({ max_pictures: 1 })
    const answers = async (count: number) => [
      await send(ben, '/api/posts', { text: 'x' }, count),
      await send(ben, '/api/send-private-message', { targetUserId: String(ann.id) }, count),
      await send(ben, '/api/group-messages/send', { group_id: group }, count),
    ]
    for (const answer of await answers(2))
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { images: ['A post, reply or message can have at most 1 picture.'] } },
      })
    for (const table of ['posts', 'messages', 'media', 'pending_media'] as const)
      expect(await readRows(db, table), table).toEqual([])
    expect((await answers(1)).map(({ status }) => status)).toEqual([201, 200, 200])
    await save({ max_pictures: 0 })
    expect((await answers(1)).map(({ status }) => status)).toEqual([422, 422, 422])
    expect((await ben.get('/post', { accept: 'text/html' })).body).toContain('"maxPictures":0')
  })

  test('apply to the members of groups, also at the same moment, and keep larger groups', async () => {
    const { ann, save, members } = await open()
    const letters = [...'abcdefghijk'].map((letter) => `new${letter}`)
    const people = Object.values(await members(...letters))
    const group = await createGroup(ann, 'Club')
    const add = ({ id }: { id: number }) => ann.post(`/api/groups/${group}/add-user`, { user_id: id })
    await save({ max_group_members: 10 })
    const answers = await Promise.all(people.map(add))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 422, 422])
    expect(answers.find(({ status }) => status === 422)!.body.errors).toEqual({
      user_id: ['The group is full: it can have 10 members.'],
    })
    const full = people[answers.findIndex(({ status }) => status === 422)]!
    // Adding a member who is already in the group succeeds, even if the group is full.
    expect((await add(people[answers.findIndex(({ status }) => status === 200)]!)).status).toBe(200)
    await save({ max_group_members: 0 })
    expect((await add(full)).status).toBe(200)
    await save({ max_group_members: 10 })
    expect((await ann.get(`/api/groups/${group}`)).body.members_count).toBe(11)
  })

  test('do not tell an owner that a member has blocked them', async () => {
    const { ann, ben, eve, ida, save, members } = await open()
    await save({ max_group_members: 10, who_can_create_groups: 'members' })
    const group = (await ben.post('/api/groups', { name: 'Club' })).body.group.id
    const add = (who: Actor, { id }: { id: number }) =>
      who.post(`/api/groups/${group}/add-user`, { user_id: id })
    const people = Object.values(await members(...'pqrstuvw'))
    for (const person of [eve, ...people]) expect((await add(ben, person)).status).toBe(200)
    await eve.post(`/api/users/${ben.id}/block`)
    // Ben sees nine members, because he does not see Eve, who has blocked him. So Ben can still add one
    // person, although the group has ten members.
    expect((await ben.get(`/api/groups/${group}`)).body.members_count).toBe(9)
    expect((await add(ann, ida)).status).toBe(422)
    expect((await add(ben, ida)).status).toBe(200)
    expect(await add(ben, ann)).toMatchObject({
      status: 422,
      body: { errors: { user_id: ['The group is full: it can have 10 members.'] } },
    })
  })

  test('are not told to strangers of a members-only community', async () => {
    const { ben, save, visitor } = await open()
    await save({ max_post_length: 140, max_pictures: 1 })
    const page = async (who: { get: Actor['get'] }, path: string) =>
      (await who.get(path, { accept: 'text/html' })).body
    expect(await page(visitor(), '/login')).toContain('"maxPostLength":140')
    await save({ who_can_read: 'members' })
    for (const path of ['/login', '/register', '/unknown'])
      expect(await page(visitor(), path), path).not.toMatch(/maxPostLength|maxPictures/)
    expect(await page(ben, '/post')).toContain('"maxPictures":1')
  })

  test('do not stop a registration with an invitation to a full group', async () => {
    const { ann, save, members, visitor } = await open()
    const group = await createGroup(ann, 'Club', ...Object.values(await members(...'pqrstuvwx')))
    await save({ max_group_members: 10 })
    const invite = await ann.post('/api/admin/invitations', { max_uses: 1, group_id: group })
    const Zoe = visitor()
    await Zoe.get('/sanctum/csrf-cookie')
    const password = 'correct horse'
    const account = {
      name: 'Zoe',
      email: 'zoe@engawa.example',
      password,
      password_confirmation: password,
      invitation: invite.body.code,
    }
    expect((await Zoe.post('/api/register', account)).status).toBe(200)
    expect((await Zoe.get('/api/my-groups')).body).toEqual([])
    expect((await ann.get('/api/admin/invitations')).body).toMatchObject([{ uses: 1 }])
  })
})
