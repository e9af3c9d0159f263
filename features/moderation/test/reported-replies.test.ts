import { describe, expect, test } from 'vitest'
import { spyOnBroadcasts } from '#tests/conversations.ts'
import { dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { decide, type Member, moderationScene, openCases, sendReport } from './moderation-scene.ts'

async function createReply(author: Member, post: number, text: string, withPicture = false) {
  const picture = uploadFile(await fourColours(64, 32).png().toBuffer(), 'a.png')
  const form = formData({ text }, withPicture ? { 'images[]': [picture] } : {})
  const { status, body } = await author.post(`/api/posts/${post}/replies`, form)
  expect(status).toBe(201)
  return { id: body.reply.id as number, picture: body.reply.images[0]?.path as string }
}

const createPost = async (author: Member, audience = 'everyone'): Promise<number> =>
  (await author.post('/api/posts', { text: 'A post', audience })).body.post.id

describe.each(dialectsInTurn())('a report of a reply on %s', (dialect) => {
  test('is a case with the text of the reply and the id of its post', async () => {
    const { Mo, Ann, Ben, Cleo } = await moderationScene(dialect)
    const post = await createPost(Cleo)
    const { id: reply } = await createReply(Ben, post, 'Rude words')
    expect((await sendReport(Ann, 'reply', reply)).status).toBe(201)
    await Ben.put(`/api/replies/${reply}`, { text: 'Worse words' })
    expect((await sendReport(Cleo, 'reply', reply)).status).toBe(201)
    const cases = await openCases(Mo)
    const listed = { kind: 'reply', subject_id: reply, post_id: post, author: { id: Ben.id } }
    expect(cases).toMatchObject([{ ...listed, reports_count: 2 }])
    const details = (await Mo.get(`/api/moderation/cases/${cases[0].id}`)).body
    expect(details).toMatchObject({ ...listed, reading: 'open', chat: null })
    expect(details.evidence).toMatchObject([{ text: 'Rude words' }, { text: 'Worse words' }])
    expect((await Ann.get('/api/reports')).body).toMatchObject([{ kind: 'reply', state: 'open' }])
    await Ben.delete(`/api/replies/${reply}`)
    const [left] = await openCases(Mo)
    expect(left).not.toHaveProperty('post_id')
  })

  test('is refused like that of an unknown reply, if the reporter may not see it', async () => {
    const { Ann, Ben, Cleo, db } = await moderationScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    const { id: forFollowers } = await createReply(Ben, await createPost(Ben, 'followers'), 'Rude words')
    const { id: ofBlocker } = await createReply(Ben, await createPost(Ann), 'More of them')
    const unknown = await sendReport(Cleo, 'reply', 999_999)
    expect(unknown.status).toBe(404)
    expect(await sendReport(Cleo, 'reply', forFollowers)).toMatchObject({
      status: 404,
      body: unknown.body,
    })
    await Ben.post(`/api/users/${Cleo.id}/block`)
    expect((await sendReport(Cleo, 'reply', ofBlocker)).body).toEqual(unknown.body)
    expect((await sendReport(Ben, 'reply', ofBlocker)).status).toBe(422)
    expect(await readRows(db, 'report_cases')).toEqual([])
    expect((await sendReport(Ann, 'reply', forFollowers)).status).toBe(201)
  })

  test('ends with the deletion of the reply, which is told to its readers and its author', async () => {
    const scene = await moderationScene(dialect)
    const { Ada, Mo, Ann, Ben } = scene
    const post = await createPost(Ann)
    const { id: reply } = await createReply(Ben, post, 'Rude words', true)
    await sendReport(Ann, 'reply', reply)
    const [{ id }] = await openCases(Mo)
    for (const action of ['hide', 'restore']) expect((await decide(Mo, id, action)).status, action).toBe(422)
    const { recorded } = spyOnBroadcasts(scene)
    expect(await decide(Mo, id, 'delete')).toMatchObject({
      status: 200,
      body: { outcome: 'delete' },
    })
    expect(recorded().map(({ event, data }) => [event, data])).toContainEqual([
      'ReplyDeleted',
      { id: reply, post_id: post, replies_count: 0 },
    ])
    expect((await Ann.get(`/api/posts/${post}/replies`)).body).toEqual([])
    expect((await Ann.get(`/api/posts/${post}`)).body.replies_count).toBe(0)
    expect((await Ben.get('/api/account/notices')).body).toMatchObject([
      { action: 'delete', kind: 'reply', excerpt: 'Rude words' },
    ])
    const log = (await Ada.get('/api/audit-log')).body
    expect(log[0]).toMatchObject({ action: 'moderation_delete', subject: 'reply' })
  })

  test('lets the moderators see its pictures, until they have decided', async () => {
    const { Mo, Ann, Ben, Cleo } = await moderationScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    const post = await createPost(Ben, 'followers')
    const { id: reply, picture } = await createReply(Ben, post, 'Look', true)
    const statuses = () =>
      Promise.all([Mo, Ann, Ben, Cleo].map(async (who) => (await who.get(picture)).status))
    expect(await statuses()).toEqual([404, 200, 200, 404])
    await sendReport(Ann, 'reply', reply)
    expect(await statuses()).toEqual([200, 200, 200, 404])
    const [{ id }] = await openCases(Mo)
    const readImages = async () => (await Mo.get(`/api/moderation/cases/${id}`)).body.images
    expect(await readImages()).toMatchObject([{ path: picture }])
    await decide(Mo, id, 'dismiss')
    expect(await readImages()).toEqual([])
    expect(await statuses()).toEqual([404, 200, 200, 404])
  })
})
