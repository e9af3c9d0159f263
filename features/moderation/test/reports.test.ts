import { describe, expect, test } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { createReport } from '#features/moderation/reports.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { MAX_REPORTS } from '../contract.ts'
import { decide, followAndWrite, moderationScene, openCases, postAs, sendReport } from './moderation-scene.ts'

describe.each(dialectsInTurn())('reports on %s', (dialect) => {
  test('of one thing are one case, and one report for each person', async () => {
    const { Mo, Ann, Ben, Cleo, db } = await moderationScene(dialect)
    const post = await postAs(Ben, 'Rude words')
    for (const [who, begin] of [
      [Ann, 'Thank you.'],
      [Ann, 'You have reported this already.'],
      [Cleo, 'Thank you.'],
    ] as const)
      expect(await sendReport(who, 'post', post)).toMatchObject({
        status: 201,
        body: { message: `${begin} The moderators will look at it.` },
      })
    expect(await readRows(db, 'reports')).toHaveLength(2)
    const [first, ...others] = await openCases(Mo)
    expect(first).toMatchObject({ kind: 'post', subject_id: post, author: { id: Ben.id }, reports_count: 2 })
    expect(others).toEqual([])
    const details = (await Mo.get(`/api/moderation/cases/${first.id}`)).body
    expect(details).toMatchObject({
      reading: 'open',
      evidence: [{ user: { id: Ben.id }, text: 'Rude words', is_reported: true }],
      reports: [{ reporter: { id: Cleo.id } }, { reporter: { id: Ann.id } }],
    })
  })

  test('of the same words are refused once moderators have decided', async () => {
    const { Ada, Mo, Ann, Ben, Cleo } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben, Cleo)
    const { id } = await sendToGroup(Ben, group, 'Rude words')
    const post = await postAs(Ben, 'Rude words')
    const all = [
      ['message', id],
      ['post', post],
      ['member', Ben.id],
    ] as const
    for (const [kind, subject] of all) await sendReport(Ann, kind, subject)
    for (const one of await openCases(Mo)) expect((await decide(Mo, one.id, 'dismiss')).status).toBe(200)
    for (const [kind, subject] of all)
      expect((await sendReport(Ann, kind, subject)).status, kind).toBe(kind === 'member' ? 201 : 409)
    await Ben.send('PUT', `/api/posts/${post}`, { text: 'Worse words' })
    expect((await sendReport(Ann, 'post', post)).status).toBe(201)
    expect((await sendReport(Cleo, 'message', id)).status).toBe(201)
    expect(await openCases(Mo)).toHaveLength(3)
  })

  test('keep what was reported, also when its author deletes it', async () => {
    const { Mo, Ann, Ben } = await moderationScene(dialect)
    const post = await postAs(Ben, 'Rude words')
    await sendReport(Ann, 'post', post)
    await Ben.delete(`/api/posts/${post}`)
    const [{ id }] = await openCases(Mo)
    expect((await Mo.get(`/api/moderation/cases/${id}`)).body.evidence).toMatchObject([
      { text: 'Rude words' },
    ])
  })

  test('of a message copy five messages before and after it', async () => {
    const { Ada, Mo, Ann, Ben } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben)
    const ids: number[] = []
    for (let n = 1; n <= 14; n++) ids.push((await sendToGroup(Ben, group, `Message ${n}`)).id)
    await sendReport(Ann, 'message', ids[6]!)
    const [{ id }] = await openCases(Mo)
    const { evidence } = (await Mo.get(`/api/moderation/cases/${id}`)).body
    expect(evidence.map(({ text }: { text: string }) => text)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `Message ${n}`),
    )
    expect(evidence.filter((item: { is_reported: boolean }) => item.is_reported)).toMatchObject([
      { text: 'Message 7' },
    ])
  })

  test('of oneself, of what one may not see, and of unknown things are refused', async () => {
    const { Ann, Ben, Cleo, visitor } = await moderationScene(dialect)
    const own = await postAs(Ann, 'Mine')
    const [message] = await followAndWrite(Ben, Cleo, 1)
    expect((await sendReport(Ann, 'post', own)).status).toBe(422)
    expect((await sendReport(Ann, 'member', Ann.id)).status).toBe(422)
    expect((await sendReport(Ann, 'message', message!)).status).toBe(404)
    for (const kind of ['post', 'reply', 'message', 'member'] as const)
      expect((await sendReport(Ann, kind, 999_999)).status).toBe(404)
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect((await sendReport(Ann, 'member', Ben.id)).status).toBe(404)
    expect((await sendReport(Ann, 'post', own, { reason: 'none' })).status).toBe(422)
    expect((await sendReport(Ann, 'post', own, { note: 'x'.repeat(1001) })).status).toBe(422)
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.post('/api/reports', { kind: 'post', id: own, reason: 'spam' })).status).toBe(401)
  })

  test(`are at most ${MAX_REPORTS} a day`, async () => {
    const { Ann, Ben, context } = await moderationScene(dialect)
    const reporter = withoutRoles(context, Ann.id)
    const send = async () => {
      const id = await postAs(Ben, 'Rude words')
      return createReport(reporter, { kind: 'post', id, reason: 'spam', note: null })
    }
    for (let n = 0; n < MAX_REPORTS; n++) await send()
    await expect(send()).rejects.toMatchObject({ status: 429 })
  })

  test('show their state to the reporter alone, and not what was done', async () => {
    const { Mo, Ann, Ben } = await moderationScene(dialect)
    const posts = [await postAs(Ben, 'One'), await postAs(Ben, 'Two'), await postAs(Ben, 'Three')]
    for (const post of posts) await sendReport(Ann, 'post', post, { note: 'Look' })
    const [three, two] = await openCases(Mo)
    await decide(Mo, two.id, 'dismiss')
    await decide(Mo, three.id, 'hide')
    const { body } = await Ann.get('/api/reports')
    expect(body).toMatchObject([
      { kind: 'post', reason: 'insult', note: 'Look', state: 'acted' },
      { state: 'dismissed' },
      { state: 'open' },
    ])
    expect(JSON.stringify(body)).not.toMatch(/hide|rules/)
    expect((await Ben.get('/api/reports')).body).toEqual([])
  })
})
