import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as accounts from '#features/people/accounts.ts'
import { endSuspension, grantAdmin, suspendForDeletion } from '#features/people/admins.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { decide, moderationScene, openCases, postAs, sendReport } from './moderation-scene.ts'

const DAY = 24 * 3600_000

describe.each(dialectsInTurn())('a suspension by a moderator on %s', (dialect) => {
  /**
   * Creates three cases: Ann reports Ben and two posts of Ben. The returned `suspend` suspends Ben with a
   * decision about one of the cases that are still open.
   */
  async function openThreeCases() {
    const scene = await moderationScene(dialect)
    const { Mo, Ann, Ben, db } = scene
    for (const text of ['Rude', 'Ruder']) await sendReport(Ann, 'post', await postAs(Ben, text))
    await sendReport(Ann, 'member', Ben.id)
    const ids: number[] = (await openCases(Mo)).map(({ id }: { id: number }) => id)
    const suspend = async (days: number) =>
      expect((await decide(Mo, ids.pop()!, 'suspend', { days })).status).toBe(200)
    const readSuspension = async () => (await readRows(db, 'suspensions'))[0]!
    const countEvents = async () =>
      (await readRows(db, 'security_log')).filter(({ kind }) => kind === 'suspended').length
    return { ...scene, suspend, readSuspension, countEvents }
  }

  test('is replaced by a longer one, and not by a shorter one', async () => {
    const { Ben, context, suspend, readSuspension, countEvents } = await openThreeCases()
    await suspend(1)
    const first = await readSuspension()
    await suspend(9)
    const second = await readSuspension()
    expect(Date.parse(String(second.ends_at)) - Date.now()).toBeGreaterThan(8 * DAY)
    expect(second.created_at).toBe(first.created_at)
    await suspend(2)
    expect(await readSuspension()).toEqual(second)
    expect(await countEvents()).toBe(2)
    await endSuspension(context, { user_id: Ben.id, ends_at: String(first.ends_at) })
    expect(await readSuspension()).toEqual(second)
    await endSuspension(context, { user_id: Ben.id, ends_at: String(second.ends_at) })
    expect(await readSuspension()).toBeUndefined()
  })

  test('is replaced by one without end of an admin, which no moderator shortens', async () => {
    const { Ada, Ben, suspend, readSuspension, countEvents } = await openThreeCases()
    await suspend(1)
    const { created_at } = await readSuspension()
    expect((await Ada.put(`/api/admin/users/${Ben.id}/suspension`)).status).toBe(200)
    const endless = { created_at, ends_at: null, suspended_by: Ada.id }
    expect(await readSuspension()).toMatchObject(endless)
    await suspend(9)
    expect(await readSuspension()).toMatchObject(endless)
    expect(await countEvents()).toBe(2)
  })

  test('is told with its end and its reason to whoever knows the password', async () => {
    const { Ada, Ben, visitor, suspend, readSuspension } = await openThreeCases()
    await suspend(2)
    const end = String((await readSuspension()).ends_at)
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    const logIn = (password: string) => phone.post('/login', { email: 'ben@engawa.example', password })
    expect(await logIn('correct horse')).toMatchObject({
      status: 403,
      body: {
        message: `This account is suspended until ${end.slice(0, 10)} ${end.slice(11, 16)} UTC. Reason: Because of the rules`,
      },
    })
    expect(JSON.stringify((await logIn('wrong horse')).body)).not.toMatch(/suspended|rules/)
    await Ada.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await logIn('correct horse')).body).toEqual({
      message: 'This account is suspended. Please contact an admin.',
    })
  })

  test('is in the log with the role of a moderator', async () => {
    const { Ada, Mo, suspend } = await openThreeCases()
    await suspend(1)
    const [, entry] = (await Ada.get('/api/audit-log')).body
    expect(entry).toMatchObject({ action: 'suspended', role: 'moderator', actor: { id: Mo.id } })
  })

  test('is refused if the member becomes an admin at the same moment', async () => {
    const { Ada, Mo, Ben, Ann, db } = await moderationScene(dialect)
    await sendReport(Ann, 'member', Ben.id)
    const [{ id }] = await openCases(Mo)
    const granted = Promise.withResolvers<void>()
    const deciding = granted.promise.then(() => decide(Mo, id, 'suspend', { days: 1 }))
    await accounts.change({ db }, Ben.id, async (tx) => {
      await grantAdmin(tx, Ben.id, Ada.id)
      granted.resolve()
      await sleep(1000)
    })
    expect((await deciding).status).toBe(403)
    expect(await readRows(db, 'suspensions')).toEqual([])
  })

  test('continues with its end and reason when an admin cancels the deletion of the account', async () => {
    const { Ada, Ben, visitor, context, suspend, readSuspension } = await openThreeCases()
    const path = `/api/admin/users/${Ben.id}`
    await suspend(1)
    const decided = await readSuspension()
    expect((await Ada.send('DELETE', path, { messages: 'keep' })).status).toBe(200)
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    const logIn = () => phone.post('/login', { email: 'ben@engawa.example', password: 'correct horse' })
    expect((await logIn()).body.message).not.toContain('until')
    const kept = await Ada.post(`${path}/keep`)
    expect(kept.body).toMatchObject({ suspended_at: decided.created_at })
    expect(await readSuspension()).toEqual(decided)
    expect((await logIn()).body.message).toContain('until')
    await endSuspension(context, { user_id: Ben.id, ends_at: String(decided.ends_at) })
    expect((await logIn()).status).toBe(204)
  })

  test('that is decided after an admin requested the deletion continues when the admin cancels it', async () => {
    const { Ada, Ben, suspend, readSuspension } = await openThreeCases()
    const path = `/api/admin/users/${Ben.id}`
    expect((await Ada.send('DELETE', path, { messages: 'keep' })).status).toBe(200)
    expect(await readSuspension()).toBeUndefined()
    await suspend(3)
    const decided = await readSuspension()
    expect(decided.ends_at).not.toBeNull()
    expect((await Ada.post(`${path}/keep`)).status).toBe(200)
    expect(await readSuspension()).toEqual(decided)
  })

  test('does not let the member in at its end if an admin requests the deletion at that moment', async () => {
    const { Ada, Ben, db, context, suspend, readSuspension } = await openThreeCases()
    await suspend(1)
    const { ends_at } = await readSuspension()
    const suspended = Promise.withResolvers<void>()
    const ended = suspended.promise.then(() =>
      endSuspension(context, { user_id: Ben.id, ends_at: String(ends_at) }),
    )
    await accounts.change(context, Ben.id, async (tx) => {
      await suspendForDeletion(context, tx, Ben.id, Ada.id)
      suspended.resolve()
      await sleep(500)
    })
    await ended
    const kinds = (await readRows(db, 'security_log')).map(({ kind }) => kind)
    expect(kinds).not.toContain('unsuspended')
  })

  test('does not let the member in at its end while an admin deletes the account', async () => {
    const { Ada, Ben, context, visitor, suspend, readSuspension } = await openThreeCases()
    await suspend(1)
    const { ends_at } = await readSuspension()
    await Ada.send('DELETE', `/api/admin/users/${Ben.id}`, { messages: 'keep' })
    await endSuspension(context, { user_id: Ben.id, ends_at: String(ends_at) })
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    const body = { email: 'ben@engawa.example', password: 'correct horse' }
    expect((await phone.post('/login', body)).status).toBe(403)
    expect((await Ada.post(`/api/admin/users/${Ben.id}/keep`)).status).toBe(200)
    expect((await phone.post('/login', body)).status).toBe(204)
  })
})
