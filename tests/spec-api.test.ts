import { describe, expect, test } from 'vitest'
import { apiContracts } from '#app.ts'
import { openApiDocument } from '#core/http/openapi.ts'
import { createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { connectSubscribed, realtimeApp } from '#tests/sockets.ts'

type Schema = { properties?: Record<string, object> }
type Call = { requestBody?: { content: Record<string, { schema: Schema }> } }
const { paths } = openApiDocument('Engawa', apiContracts) as unknown as {
  paths: Record<string, Record<string, Call>>
}

describe('the wire', () => {
  // spec: 7.4, 7.5, 7.6, 7.7, 7.8, 7.9, 7.10, 7.11, 7.12, 7.13, 7.14, 7.15, 7.16, 7.17, 7.19, 7.20, 7.21
  // spec: 7.22, 7.23, 7.24, 7.25, 7.26, 7.27, 7.28, 7.29, 7.30, 7.31, 7.32, 7.33, 7.34
  test.each<[call: string, fields: string[]]>([
    ['GET /sanctum/csrf-cookie', []],
    ['POST /api/register', ['name', 'email', 'password', 'password_confirmation']],
    ['POST /login', ['email', 'password']],
    ['POST /logout', []],
    ['GET /api/user', []],
    ['GET /api/email/verify/{id}/{hash}', []],
    ['GET /api/posts', []],
    ['GET /api/posts/following', []],
    ['POST /api/posts/{id}/like', []],
    ['POST /api/posts', ['text', 'images[]']],
    ['GET /api/profile', []],
    ['POST /api/profile', ['name', 'bio']],
    ['POST /api/profile-image', ['image']],
    ['GET /api/users', []],
    ['GET /api/followings', []],
    ['GET /api/followings/users', []],
    ['POST /api/follow/{id}', []],
    ['DELETE /api/unfollow/{id}', []],
    ['GET /api/messages/{id}', []],
    ['POST /api/send-private-message', ['input', 'targetUserId']],
    ['POST /api/send-message', ['message']],
    ['GET /api/my-groups', []],
    ['GET /api/group-messages/{id}', []],
    ['POST /api/group-messages/send', ['group_id', 'message']],
    ['POST /api/groups', ['name']],
    ['POST /api/groups/{id}/add-user', ['user_id']],
    ['GET /api/products/{id}', []],
    ['POST /api/cart/add/{productId}', ['quantity']],
    ['GET /api/cart', []],
    ['POST /my-broadcast-auth', ['socket_id', 'channel_name']],
  ])('has %s with its fields', (call, fields) => {
    const [method, path] = call.split(' ') as [string, string]
    const bodies = Object.values(paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {})
    expect(Object.keys(paths[path] ?? {}), call).toContain(method.toLowerCase())
    for (const { schema } of bodies)
      expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(fields))
    if (fields.length) expect(bodies).not.toEqual([])
  })

  // spec: 3.1, 3.2, 3.3, 3.4, 3.5, 3.9, 6.2, 7.8, 7.14, 7.23, 7.27
  test('has users, posts, messages and groups with all their fields', async () => {
    const { members } = await createTestApp()
    const { ann, ben } = await members('ann', 'ben')
    const image = uploadFile(await fourColours().png().toBuffer(), 'a.png')
    await ann.post('/api/profile', { name: 'Ann', bio: 'By the river' })
    const { profile_image } = (await ann.post('/api/profile-image', formData({}, { image: [image] }))).body
    const me = {
      id: ann.id,
      name: 'Ann',
      email: 'ann@engawa.example',
      is_admin: true,
      profile_image,
      bio: 'By the river',
    }
    for (const path of ['/api/user', '/api/profile']) expect((await ann.get(path)).body).toMatchObject(me)

    await ann.post('/api/posts', formData({ text: 'Look' }, { 'images[]': [image] }))
    const [post] = (await ben.get('/api/posts')).body
    expect(post).toMatchObject({
      body: 'Look',
      user: { name: 'Ann', profile_image },
      likes_count: 0,
      liked_by_me: false,
    })
    expect([
      typeof post.id,
      typeof post.created_at,
      typeof post.images[0].id,
      typeof post.images[0].path,
    ]).toEqual(['number', 'string', 'number', 'string'])
    await ben.post(`/api/posts/${post.id}/like`)
    expect((await ben.get('/api/posts')).body).toMatchObject([{ likes_count: 1, liked_by_me: true }])

    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'To Ben')
    const hello = { message: 'To Ben', from_user_id: ann.id, to_user_id: ben.id }
    expect((await ben.get(`/api/messages/${ann.id}`)).body).toMatchObject([hello])
    const group = await createGroup(ann, 'Kiln', ben)
    expect((await ben.get('/api/my-groups')).body).toMatchObject([{ id: group, name: 'Kiln' }])
    await sendToGroup(ben, group, 'To all')
    expect((await ann.get(`/api/group-messages/${group}`)).body).toMatchObject([
      { user_id: ben.id, message: 'To all' },
    ])
  })

  // spec: 7.35, 7.36, 7.37, 9.6
  test('has the three channels with their events; the name of a private channel has the smaller id first', async () => {
    const { url, members, subscribeAs } = await realtimeApp()
    const { ann, ben } = await members('ann', 'ben')
    await ben.post(`/api/follow/${ann.id}`)
    await ann.post(`/api/follow/${ben.id}`)
    const pair = `private-chat.${Math.min(ann.id, ben.id)}.${Math.max(ann.id, ben.id)}`
    const group = await createGroup(ann, 'Kiln', ben)
    const [his, all, everybody] = [
      await subscribeAs(ben, pair),
      await subscribeAs(ben, `private-group-chat.${group}`),
      await connectSubscribed(url, 'chat'),
    ]
    for (const [from, to] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      await sendPrivate(from, to, 'Hello')
      const { channel, data } = await his.nextMessage('PrivateMessageSent')
      expect(channel).toBe(pair)
      expect(data).toMatchObject({ message: 'Hello', from_user_id: from.id, to_user_id: to.id })
    }
    await sendToGroup(ann, group, 'To all')
    expect((await all.nextMessage('GroupMessageSent')).data).toMatchObject({
      userId: ann.id,
      message: 'To all',
    })
    await ann.post('/api/send-message', { message: 'To everybody' })
    expect((await everybody.nextMessage('MessageSent')).data).toEqual({ message: 'To everybody' })
  })
})
