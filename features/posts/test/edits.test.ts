import { describe, expect, test } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { saveCommunity } from '#features/registration/test/registrations.ts'
import { createGroup } from '#tests/conversations.ts'
import { dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { messagesArrived } from '#tests/sockets.ts'
import { MAX_POST_EDITS } from '../contract.ts'
import { editOwnPost } from '../edits.ts'
import { type Actor, audienceScene, postFor, watchPosts } from './audience-scene.ts'

const edit = (who: TestClient, id: number, text: string | null) => who.put(`/api/posts/${id}`, { text })
const readVersionTexts = async (who: TestClient, id: number) => {
  const { status, body } = await who.get(`/api/posts/${id}/versions`)
  return status === 200 ? body.map((version: { body: string | null }) => version.body) : status
}

describe.each(dialectsInTurn())('edited posts on %s', (dialect) => {
  const write = async (author: Actor, text = 'one', more = {}) =>
    (await author.post('/api/posts', { text, ...more })).body.post.id as number

  test('are marked in the post and in lists, and keep their earlier versions', async () => {
    const { Ann, Ben, stranger } = await audienceScene(dialect)
    const id = await write(Ann)
    const { created_at, ...before } = (await Ben.get(`/api/posts/${id}`)).body
    expect(before).not.toHaveProperty('edited_at')
    expect(await readVersionTexts(Ben, id)).toEqual([])
    const { status, body } = await edit(Ann, id, ' two ')
    expect(status).toBe(200)
    expect(body.post).toMatchObject({ id, body: 'two', created_at, edited_at: expect.any(String) })
    await edit(Ann, id, 'three')
    for (const who of [Ann, Ben, stranger]) {
      expect((await who.get('/api/posts')).body[0]).toMatchObject({
        body: 'three',
        edited_at: expect.any(String),
      })
      expect(await readVersionTexts(who, id)).toEqual(['two', 'one'])
    }
    const [two, one] = (await Ben.get(`/api/posts/${id}/versions`)).body
    expect([one.created_at, two.created_at]).toEqual([created_at, body.post.edited_at])
  })

  test('are unchanged if the text is the same', async () => {
    const scene = await audienceScene(dialect)
    const reader = await watchPosts(scene, scene.Ben)
    const id = await write(scene.Ann)
    expect((await edit(scene.Ann, id, 'one')).body.post).not.toHaveProperty('edited_at')
    await messagesArrived(reader)
    expect(reader.received('PostChanged')).toEqual([])
    expect(await readVersionTexts(scene.Ann, id)).toEqual([])
  })

  test('have pages of versions', async () => {
    const { Ann } = await audienceScene(dialect)
    const id = await write(Ann)
    for (const text of ['two', 'three', 'four']) await edit(Ann, id, text)
    const first = await Ann.get(`/api/posts/${id}/versions?limit=2`)
    expect(first.body.map(({ body }: { body: string }) => body)).toEqual(['three', 'two'])
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
    expect((await Ann.get(next)).body).toMatchObject([{ body: 'one' }])
  })

  test('are refused to others, without a text, and beyond the limits', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben, Cleo, stranger, db } = scene
    const id = await write(Ann)
    await stranger.get('/sanctum/csrf-cookie')
    expect((await edit(stranger, id, 'x')).status).toBe(401)
    for (const who of [Admin, Ben]) expect((await edit(who, id, 'x')).status).toBe(403)
    const secret = await write(Ann, 'secret', { audience: 'followers' })
    for (const who of [Admin, Cleo]) {
      expect((await edit(who, secret, 'x')).status).toBe(404)
      expect(await readVersionTexts(who, secret)).toBe(404)
    }
    expect((await edit(Ann, secret + 1, 'x')).status).toBe(404)
    expect((await edit(Ann, id, '  ')).body).toMatchObject({ errors: { text: [expect.any(String)] } })
    expect((await edit(Ann, id, 'x'.repeat(5001))).status).toBe(422)
    await saveCommunity(scene, { max_post_length: 140 })
    expect((await edit(Ann, id, 'x'.repeat(141))).status).toBe(422)
    const picture = await postFor(Ann)
    expect((await edit(Ann, picture.id, null)).body.post).toMatchObject({ body: null })
    expect(await readRows(db, 'post_versions')).toHaveLength(1)
  })

  test(`are refused after ${MAX_POST_EDITS} edits`, async () => {
    const { Ann, context } = await audienceScene(dialect)
    const id = await write(Ann)
    const author = withoutRoles(context, Ann.id)
    for (let count = 1; count <= MAX_POST_EDITS; count++) await editOwnPost(author, id, `text ${count}`)
    expect((await edit(Ann, id, 'one more')).status).toBe(422)
  })

  test('are refused while a moderator hides the post, and the report has the reported text', async () => {
    const { Admin, Ann, Ben, Cleo } = await audienceScene(dialect)
    const id = await write(Ann, 'rude')
    await Ben.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    await edit(Ann, id, 'kind')
    await Cleo.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    const [{ id: reported }] = (await Admin.get('/api/moderation/cases')).body
    const { evidence } = (await Admin.get(`/api/moderation/cases/${reported}`)).body
    expect(evidence.map(({ text }: { text: string }) => text)).toEqual(['rude', 'kind'])
    const decision = { action: 'hide', note: 'x' }
    expect((await Admin.post(`/api/moderation/cases/${reported}/decisions`, decision)).status).toBe(200)
    expect((await edit(Ann, id, 'rude again')).status).toBe(403)
    expect(await readVersionTexts(Ann, id)).toEqual(['rude'])
    expect(await readVersionTexts(Ben, id)).toBe(404)
  })

  test('are live for those who see the post', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben, Cleo } = scene
    const group = await createGroup(Admin, 'Garden', Ann, Cleo)
    const clients = {
      Ben: await watchPosts(scene, Ben),
      Cleo: await watchPosts(scene, Cleo),
      stranger: await watchPosts(scene, null),
    }
    const ids: Record<string, number> = {}
    for (const audience of ['everyone', 'members', 'followers', 'group'] as const) {
      ids[audience] = await write(Ann, 'one', { audience, ...(audience === 'group' && { group_id: group }) })
      await edit(Ann, ids[audience], 'two')
    }
    scene.realtime.broadcast(['posts'], 'Last', {})
    const seen: Record<string, string[]> = {}
    for (const [name, client] of Object.entries(clients)) {
      await client.nextMessage('Last')
      const events = client.received('PostChanged')
      for (const { data } of events)
        expect(data).toMatchObject({ body: 'two', edited_at: expect.any(String) })
      seen[name] = Object.keys(ids).filter((audience) => events.some(({ data }) => data.id === ids[audience]))
    }
    expect(seen).toEqual({
      Ben: ['everyone', 'members', 'followers'],
      Cleo: ['everyone', 'members', 'group'],
      stranger: ['everyone'],
    })
  })

  test('lose their versions with the post', async () => {
    const { Ann, db } = await audienceScene(dialect)
    const id = await write(Ann)
    await edit(Ann, id, 'two')
    await Ann.delete(`/api/posts/${id}`)
    expect(await readRows(db, 'post_versions')).toEqual([])
  })
})
