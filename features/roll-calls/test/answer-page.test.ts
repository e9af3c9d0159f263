import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, dialectsInTurn, type TestApp } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { createToken } from '../links.ts'
import { answer, boardOf, rollCallScene } from './roll-call-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

const HOUR = 3600_000
const clock = (time: number) => new Date(time).toISOString().slice(11, 16)
const aroundNow = () => ({
  quiet_hours: { from: clock(Date.now() - HOUR), to: clock(Date.now() + HOUR), time_zone: 'UTC' },
})

async function openWithMails(dialect: Dialect) {
  const { mails, url, close } = await startMailServer()
  onTestFinished(close)
  const scene = await rollCallScene(dialect, { env: { SMTP_URL: url } })
  await verifyAllEmails(scene)
  const mailed = async () => {
    await eventually(async () => expect(await countUnfinished(scene.db, 'roll_call_mail')).toBe(0))
    await scene.context.jobs.idle()
    return mails.filter(({ text }) => text!.includes('/roll-calls/answer/'))
  }
  return { ...scene, mailed }
}
const pathIn = (text: string) => /\/roll-calls\/answer\/\d+\.\d+\.[\w-]{43}/.exec(text)![0]

const post = ({ app }: Pick<TestApp, 'app'>, url: string, fields: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

describe.each(dialectsInTurn())('the link of a roll call on %s', (dialect) => {
  test('comes by mail, and answers without a log-in, but not by a visit', async () => {
    const scene = await openWithMails(dialect)
    const { Ada, Ben, Kid, visitor, start, mailed } = scene
    const id = await start(Ada)
    const mails = await mailed()
    expect(mails).toHaveLength(5)
    const mail = mails.find(({ to }) => JSON.stringify(to).includes('ben@'))!
    expect(mail.subject).toBe('Engawa: Earthquake')
    const path = pathIn(mail.text!)
    const page = await visitor().get(path)
    expect([page.status, page.headers['content-type'], page.headers['content-disposition']]).toEqual([
      ...[200, 'text/html; charset=utf-8', 'inline'],
    ])
    expect(page.raw.length).toBeLessThan(10_000)
    expect((await boardOf(Ada, id)).counts.none).toBe(5)
    const done = await post(scene, path, { state: 'help', place: '<b>Gym', words: '' })
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('Noted: Ben – I need help')])
    expect((await Ben.get(`/api/roll-calls/${id}`)).body.people[0].answers).toMatchObject([
      { state: 'help', place: '<b>Gym', words: null, by: { id: Ben.id } },
    ])
    expect((await post(scene, path, { state: 'safe', for: `${Kid.id}` })).body).not.toContain('Noted')
  })

  test('is for one member and one roll call, until its end', async () => {
    const scene = await rollCallScene(dialect)
    const { Ada, Ben, Mum, Kid, context, start } = scene
    const id = await start(Ada)
    const to = (call: number, user: number) => `/roll-calls/answer/${createToken(context, { call, user })}`
    const forged = to(id, Ben.id).replace(`.${Ben.id}.`, `.${Mum.id}.`)
    for (const path of [forged, to(id + 1, Ben.id), to(id, 999)])
      expect((await post(scene, path, { state: 'safe' })).body).toContain('This link is not valid')
    expect((await boardOf(Ada, id)).counts.none).toBe(5)
    expect((await post(scene, to(id, Mum.id), { state: 'safe', for: `${Kid.id}` })).body).toContain(
      'Noted: Kid',
    )
    await Ada.put(`/api/admin/users/${Ben.id}/suspension`, { reason: 'x' })
    expect((await post(scene, to(id, Ben.id), { state: 'safe' })).body).toContain('not valid')
    await Ada.post(`/api/roll-calls/${id}/end`)
    for (const body of [
      (await Ada.get(to(id, Mum.id))).body,
      (await post(scene, to(id, Mum.id), { state: 'safe' })).body,
    ])
      expect(body).toContain('This roll call has ended')
  })

  test('shows names and titles as text, and is marked in a drill', async () => {
    const { Ada, Ben, context, start } = await rollCallScene(dialect)
    const id = await start(Ada, { title: '<script>alert(1)</script>', is_drill: true })
    const { body } = await Ben.get(`/roll-calls/answer/${createToken(context, { call: id, user: Ben.id })}`)
    expect(body).toContain('&#60;script&#62;alert')
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('Drill')
  })

  test('is not mailed to those who have answered, and waits for the end of quiet hours in a drill', async () => {
    const { Ada, Oda, Ben, db, start, mailed } = await openWithMails(dialect)
    await Ben.send('PATCH', '/api/notification-settings', aroundNow())
    const id = await start(Ada)
    expect((await mailed()).some(({ to }) => JSON.stringify(to).includes('ben@'))).toBe(true)
    await Ada.post(`/api/roll-calls/${id}/end`)
    await start(Ada, { is_drill: true })
    await eventually(async () => expect(await countUnfinished(db, 'roll_call_mail')).toBe(1))
    expect((await answer(Oda, id, 'safe')).status).toBe(409)
  })
})
