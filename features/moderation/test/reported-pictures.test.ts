import { describe, expect, test } from 'vitest'
import { dialectsInTurn, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { decide, type Member, moderationScene, openCases, sendReport } from './moderation-scene.ts'

async function publish(author: Member, audience: string) {
  const picture = uploadFile(await fourColours(64, 32).png().toBuffer(), 'a.png')
  const form = formData({ text: 'Look', audience }, { 'images[]': [picture] })
  const { status, body } = await author.post('/api/posts', form)
  expect(status).toBe(201)
  return { id: body.post.id as number, path: body.post.images[0].path as string }
}

describe.each(dialectsInTurn())('the pictures of a reported post on %s', (dialect) => {
  test('are for the moderators who work on the open case, and those of other posts are not', async () => {
    const { Ada, Mo, May, Ann, Ben, Cleo } = await moderationScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    const [reported, other] = [await publish(Ben, 'followers'), await publish(Ben, 'followers')]
    const statuses = (path: string) =>
      Promise.all([Ada, Mo, May, Ann, Ben, Cleo].map(async (who) => (await who.get(path)).status))
    const forFollowers = [404, 404, 404, 200, 200, 404]
    expect(await statuses(reported.path)).toEqual(forFollowers)
    expect((await sendReport(Ann, 'post', reported.id)).status).toBe(201)
    expect(await statuses(reported.path)).toEqual([200, 200, 200, 200, 200, 404])
    expect(await statuses(other.path)).toEqual(forFollowers)
    const [{ id }] = await openCases(Mo)
    const readImages = async () => (await Mo.get(`/api/moderation/cases/${id}`)).body.images
    expect(await readImages()).toMatchObject([{ path: reported.path }])
    expect((await Mo.get(`/api/posts/${reported.id}`)).status).toBe(404)
    await Ada.send('DELETE', `/api/moderators/${May.id}`)
    expect((await May.get(reported.path)).status).toBe(404)
    await decide(Mo, id, 'dismiss')
    expect(await readImages()).toEqual([])
    expect(await statuses(reported.path)).toEqual(forFollowers)
  })

  test('are not for a moderator whom the report concerns, beyond those of an author', async () => {
    const { Mo, May, Ann } = await moderationScene(dialect)
    await Ann.post(`/api/follow/${Mo.id}`)
    const { id, path } = await publish(Mo, 'followers')
    await sendReport(Ann, 'post', id)
    const [{ id: about }] = await openCases(May)
    expect((await May.get(path)).status).toBe(200)
    expect((await Mo.get(path)).status).toBe(200)
    expect((await Mo.get(`/api/moderation/cases/${about}`)).status).toBe(404)
    // The author still sees the pictures of a hidden post. The case is closed, so other moderators do not see
    // them any more.
    await decide(May, about, 'hide')
    expect([(await Mo.get(path)).status, (await May.get(path)).status]).toEqual([200, 404])
  })
})
