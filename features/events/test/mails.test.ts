import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, type TestApp } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { createToken } from '../links.ts'
import { dateOf, eventScene, plan, say } from './event-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

const post = ({ app }: Pick<TestApp, 'app'>, url: string, fields: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

describe.each(dialectsInTurn())('the link in a mail of an event on %s', (dialect) => {
  test('comes to those who have not answered, and answers without a log-in, but not by a visit', async () => {
    const { mails, url, close } = await startMailServer()
    onTestFinished(close)
    const scene = await eventScene(dialect, { SMTP_URL: url })
    await verifyAllEmails(scene)
    const { Ann, Ben, Cleo, group, db, context, stranger } = scene
    const { id } = await plan(Ann, { places: 1 }, { audience: 'group', group_id: group })
    await say(Cleo, id, 'yes')
    expect((await Ann.post(`/api/events/dates/${id}/reminders`)).status).toBe(200)
    await eventually(async () => expect(await countUnfinished(db, 'event_reminder')).toBe(0))
    await eventually(async () => expect(await countUnfinished(db, 'event_mail')).toBe(0))
    await context.jobs.idle()
    const asked = mails.filter(({ text }) => text!.includes('/events/answer/'))
    expect(asked.map(({ subject }) => subject)).toEqual(['Engawa: Training', 'Engawa: Training'])
    const { text } = asked.find(({ to }) => JSON.stringify(to).includes('ben@'))!
    const path = /\/events\/answer\/\d+\.\d+\.[\w-]{43}/.exec(text!)![0]
    expect((await stranger.get(path)).status).toBe(200)
    expect((await dateOf(Ben, id)).mine).toBe(null)
    const done = await post(scene, path, { answer: 'yes', note: '<b>late' })
    expect(done.body).toContain('You are number 1 on the waiting list')
    expect(done.body).not.toContain('<b>late')
    expect((await dateOf(Ben, id)).mine).toMatchObject({ note: '<b>late', position: 1 })
  })

  test('is sent once by two who remind at once', async () => {
    const { Ann, group } = await eventScene(dialect)
    const { id } = await plan(Ann, {}, { audience: 'group', group_id: group })
    const remind = () => Ann.post(`/api/events/dates/${id}/reminders`)
    const answers = await Promise.all([remind(), remind()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('is for one member and one date, until the end of answers', async () => {
    const scene = await eventScene(dialect)
    const { Ann, Ben, Cleo, Eva, group, context } = scene
    const { id } = await plan(Ann, {}, { audience: 'group', group_id: group })
    const to = (user: number, date = id) => `/events/answer/${createToken(context, { date, user })}`
    const forged = to(Ben.id).replace(`.${Ben.id}.`, `.${Cleo.id}.`)
    for (const path of [forged, to(Ben.id, id + 1), to(Eva.id)])
      expect((await post(scene, path, { answer: 'yes' })).body).toContain('This link is not valid')
    expect((await dateOf(Ann, id)).counts.yes).toBe(0)
    expect((await post(scene, to(Ben.id), {})).body).toContain('Please choose an answer')
    await Ann.post(`/api/events/dates/${id}/close`)
    expect((await post(scene, to(Ben.id), { answer: 'yes' })).body).toContain('The time to answer is over')
    expect((await dateOf(Ann, id)).counts.yes).toBe(0)
  })
})
