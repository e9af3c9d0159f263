import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { unsentMails } from '#features/account/test/resets.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import {
  approvalScene,
  askAndVerify,
  askToJoin,
  JOIN_PASSWORD,
  joinTokens,
  verifyJoinEmail,
  waitingRequests,
} from '#tests/join-requests.ts'
import * as joinRequests from '../join-requests.ts'
import { registerVisitor, saveWhoCanJoin } from './registrations.ts'

const DAY = 24 * 3600_000

describe.each(dialectsInTurn())('a request to join on %s', (dialect) => {
  test('waits for an admin as soon as its address is verified', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const { status, person, readState } = await askToJoin(app, 'Cho', {
      answer: 'A friend of Ben.',
    })
    expect([status, await readState()]).toEqual([201, 'unverified'])
    expect(await waitingRequests(Ann)).toEqual([])
    const [mail] = await unsentMails(app)
    expect(mail).toMatchObject({ to: 'cho@engawa.example', subject: 'Confirm your request to join Engawa' })
    const [token] = await joinTokens(app)
    expect((await verifyJoinEmail(person, token)).body).toEqual({ state: 'waiting' })
    // The person opens the link of the mail a second time.
    expect((await verifyJoinEmail(person, token)).body).toEqual({ state: 'waiting' })
    expect(await readState()).toBe('waiting')
    expect(await waitingRequests(Ann)).toEqual([
      {
        id: expect.any(Number),
        name: 'Cho',
        reading: null,
        email: 'cho@engawa.example',
        is_verified: true,
        is_proven: true,
        question: null,
        answer: 'A friend of Ben.',
        entered_at: expect.any(String),
      },
    ])
    expect((await Ann.get('/api/admin/facts')).body).toMatchObject({ waiting_requests: 1, members: 2 })
    expect(await readRows(app.db, 'users')).toHaveLength(2)
  })

  test('waits at once, unverified, where there is no mail server', async () => {
    const { app, Ann } = await approvalScene(dialect, { mail: false })
    const { readState } = await askToJoin(app, 'Cho')
    expect(await readState()).toBe('waiting')
    expect(await waitingRequests(Ann)).toMatchObject([{ name: 'Cho', is_verified: false }])
  })

  test('does not tell at the log-in whether the address has an account, where there is no mail server', async () => {
    const { app } = await approvalScene(dialect, { mail: false })
    const own = { password: 'seven paper lanterns' }
    const answers = []
    for (const name of ['Ben', 'Cho']) {
      const { person, readState } = await askToJoin(app, name, own)
      expect(await readState()).toBe('waiting')
      answers.push(await person.post('/login', { email: `${name.toLowerCase()}@engawa.example`, ...own }))
    }
    expect(answers.map(({ status }) => status)).toEqual([422, 422])
    expect(answers[1]!.body).toEqual(answers[0]!.body)
  })

  test('is possible only where admins decide, and replaces the registration there', async () => {
    const { app } = await approvalScene(dialect)
    const refused = { status: 403, body: { message: expect.stringContaining('Admins decide') } }
    expect(await registerVisitor(app, 'Cho')).toMatchObject(refused)
    // The response is the same for the e-mail address of a member.
    expect(await registerVisitor(app, 'Ben')).toMatchObject(refused)
    for (const who_can_join of ['open', 'invitation', 'closed'] as const) {
      await saveWhoCanJoin(app, who_can_join)
      expect((await askToJoin(app, 'Cho')).status).toBe(403)
    }
    expect(await readRows(app.db, 'join_requests')).toEqual([])
  })

  test('is not needed by people with an invitation', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const { code } = (await Ann.post('/api/admin/invitations', { max_uses: 1 })).body
    expect((await registerVisitor(app, 'Cho', { invitation: code })).status).toBe(200)
  })

  test('is bounded, and refuses weak passwords', async () => {
    const { app } = await approvalScene(dialect)
    for (const [field, value] of [
      ['name', ''],
      ['email', 'nobody'],
      ['password', 'password'],
      ['password', 'short'],
      ['answer', ''],
      ['answer', 'x'.repeat(1001)],
    ] as const) {
      const { status, body } = await askToJoin(app, 'Cho', { [field]: value })
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    }
    expect(await readRows(app.db, 'join_requests')).toEqual([])
  })

  test('has the question that admins wrote, as it was at that time', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    const save = (join_question: unknown, who = Ann) =>
      who.send('PATCH', '/api/admin/settings', { join_question })
    const question = async () => (await app.visitor().get('/api/registration')).body.join_question
    expect(await question()).toBeNull()
    expect((await save(' どの教室ですか？ ')).body.settings.join_question).toBe('どの教室ですか？')
    expect(await question()).toBe('どの教室ですか？')
    await askAndVerify(app, 'Cho')
    expect((await save('x'.repeat(301))).status).toBe(422)
    expect((await save('mine', Ben)).status).toBe(403)
    await save('')
    expect(await question()).toBeNull()
    expect(await waitingRequests(Ann)).toMatchObject([{ question: 'どの教室ですか？' }])
    await save('Where?')
    await saveWhoCanJoin(app, 'open')
    expect(await question()).toBeNull()
  })

  test('does not tell whether the address has an account or a request, and mails the owner', async () => {
    const { app } = await approvalScene(dialect)
    const fresh = await askToJoin(app, 'Cho')
    const [again, member] = [await askToJoin(app, 'Cho'), await askToJoin(app, 'Ben')]
    for (const { status, body, readState } of [again, member])
      expect([status, Object.keys(body), await readState()]).toEqual([
        fresh.status,
        ['token'],
        await fresh.readState(),
      ])
    const mails = await unsentMails(app)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['cho@engawa.example', 'Confirm your request to join Engawa'],
      ['cho@engawa.example', 'Confirm your request to join Engawa'],
      ['ben@engawa.example', 'You have an account at Engawa'],
    ])
  })

  test('sends at most three mails a day to one address', async () => {
    const { app } = await approvalScene(dialect)
    for (let n = 0; n < 5; n++)
      expect(
        (
          await askToJoin(app, 'Cho', {
            email: n % 2 ? 'cho@engawa.example' : 'CHO@engawa.example',
          })
        ).status,
      ).toBe(201)
    expect(await unsentMails(app)).toHaveLength(3)
    vi.setSystemTime(Date.now() + DAY + 1000)
    await askToJoin(app, 'Cho')
    expect(await unsentMails(app)).toHaveLength(4)
    vi.useRealTimers()
  })

  test('is the one that the owner of the mailbox has chosen', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const one = await askToJoin(app, 'Cho', { answer: 'one' })
    const other = await askToJoin(app, 'Cho', { answer: 'other' })
    const [first, second] = await joinTokens(app)
    expect((await verifyJoinEmail(other.person, second)).status).toBe(200)
    expect(await waitingRequests(Ann)).toMatchObject([{ answer: 'other' }])
    expect(await one.readState()).toBe('ended')
    expect((await verifyJoinEmail(one.person, first)).status).toBe(403)
  })

  test('ends after a day without verification, and after thirty days without an answer', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const waiting = await askAndVerify(app, 'Cho')
    const unverified = await askToJoin(app, 'Dan')
    const token = (await joinTokens(app)).at(-1)
    vi.setSystemTime(Date.now() + DAY + 1000)
    expect((await verifyJoinEmail(unverified.person, token)).status).toBe(403)
    await joinRequests.deleteOld(app.context)
    expect(await unverified.readState()).toBe('ended')
    expect(await waiting.readState()).toBe('waiting')
    vi.setSystemTime(Date.now() + 29 * DAY)
    await joinRequests.deleteOld(app.context)
    expect(await readRows(app.db, 'join_requests')).toEqual([])
    vi.useRealTimers()
    expect(await waitingRequests(Ann)).toEqual([])
  })

  test('is stored with hashes of its tokens and its password', async () => {
    const { app } = await approvalScene(dialect)
    const { token } = await askToJoin(app, 'Cho')
    const rows = await readRows(app.db, 'join_requests')
    expect(rows).toMatchObject([
      { token_hash: hashToken(token), password_hash: expect.stringMatching(/^\$argon2id/) },
    ])
    expect(JSON.stringify(rows)).not.toContain(JOIN_PASSWORD)
    const stored = JSON.stringify([rows, await readRows(app.db, 'jobs')])
    expect(stored).not.toContain(token)
    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    for (const wrong of ['x', hashToken(token), `${token}x`]) {
      expect((await stranger.post('/api/join-requests/state', { token: wrong })).body).toEqual({
        state: 'ended',
      })
      expect((await verifyJoinEmail(stranger, wrong)).status).toBe(403)
    }
    // The token of the browser does not verify the e-mail address of the request to join.
    expect((await verifyJoinEmail(stranger, token)).status).toBe(403)
  })

  test('admits nobody: the log-in says that it waits, only to the person who knows the password', async () => {
    const { app } = await approvalScene(dialect)
    const cho = await askToJoin(app, 'Cho')
    expect((await cho.logIn()).status).toBe(422)
    await verifyJoinEmail(cho.person, (await joinTokens(app))[0])
    expect(await cho.logIn()).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('No admin has answered') },
    })
    const wrong = { email: 'cho@engawa.example', password: 'wrong horse' }
    const unknown = { email: 'nobody@engawa.example', password: 'wrong horse' }
    expect((await cho.person.post('/login', wrong)).body).toEqual(
      (await cho.person.post('/login', unknown)).body,
    )
    expect((await cho.person.get('/api/user')).status).toBe(401)
    const sessions = await readRows(app.db, 'sessions')
    expect(sessions).toHaveLength(2)
  })

  test('tells the admins by mail, at most once in a quarter of an hour, in their language', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    await transaction(app.db, async (tx) => {
      await tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute()
      await tx.updateTable('member_languages').set({ lang: 'ja' }).where('user_id', '=', Ben.id).execute()
      await tx.deleteFrom('jobs').execute()
    })
    const listNotices = async () =>
      (await unsentMails(app)).filter(({ text }) => text.includes('/admin/new-members'))
    await askAndVerify(app, 'Cho')
    await expect.poll(listNotices).toMatchObject([
      { to: 'ann@engawa.example', subject: 'Somebody would like to join Engawa' },
      { to: 'ben@engawa.example', subject: expect.stringContaining('参加の申し込み') },
    ])
    expect(JSON.stringify(await listNotices())).not.toMatch(/Cho/)
    for (const name of ['Dan', 'Eve']) await askAndVerify(app, name)
    const jobs = await readRows(app.db, 'jobs')
    const waiting = jobs.filter((job) => job.kind === 'join_request_notice' && job.finished_at === null)
    expect(waiting).toHaveLength(1)
    expect(Date.parse(String(waiting[0]!.run_at))).toBeGreaterThan(Date.now() + 14 * 60_000)
    expect(await listNotices()).toHaveLength(2)
  })
})
