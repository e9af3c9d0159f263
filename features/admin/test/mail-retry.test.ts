import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { FAILED_RETENTION, startJobCleanup } from '#core/jobs/jobs.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

/** Starts a mail server that refuses all recipients for ever while `state.isClosed`. */
async function startMailServer() {
  const state = { isClosed: true, received: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) =>
      done(state.isClosed ? Object.assign(new Error('no such person'), { responseCode: 550 }) : null),
    onData(stream, _, done) {
      state.received++
      stream.resume().on('end', () => done())
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)))
  return { state, url: `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}` }
}

describe.each(dialectsInTurn())('mails that were given up on %s', (dialect) => {
  /** Opens a community with a mail server that has refused a mail to Ann, the admin, and one to Ben. */
  async function open() {
    const { state, url } = await startMailServer()
    const app = await createTestApp({ dialect, env: { SMTP_URL: url } })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const readMails = async () => (await readRows(app.db, 'jobs')).filter(({ kind }) => kind === 'mail')
    for (const who of [Ann, Ben]) await who.post('/api/email/verification-notification', {})
    await app.context.jobs.idle()
    const failed = (await readMails()).length
    expect(failed).toBeGreaterThan(1)
    expect(await readMails()).toEqual(
      Array(failed).fill(expect.objectContaining({ failed_at: expect.any(String), finished_at: null })),
    )
    return { ...app, Ann, Ben, state, readMails, failed }
  }

  test('are sent again by an admin who has confirmed, once, and the log says so', async () => {
    const { Ann, Ben, db, context, state, readMails, failed } = await open()
    expect((await Ann.get('/api/admin/health')).body.failed_mails).toBe(failed)
    expect((await Ben.post('/api/admin/mail-retry', {})).status).toBe(403)
    await ageConfirmations(db)
    expect((await Ann.post('/api/admin/mail-retry', {})).status).toBe(423)
    expect((await Ann.post('/api/account/confirm', { password: 'correct horse' })).status).toBeLessThan(300)
    state.isClosed = false
    expect((await Ann.post('/api/admin/mail-retry', {})).body).toEqual({ mails: failed })
    await eventually(() => expect(state.received).toBe(failed))
    await context.jobs.idle()
    // What was sent keeps no text.
    expect((await readMails()).every(({ payload, finished_at }) => payload === null && finished_at)).toBe(
      true,
    )
    expect((await Ann.post('/api/admin/mail-retry', {})).body).toEqual({ mails: 0 })
    expect((await Ann.get('/api/admin/health')).body.failed_mails).toBe(0)
    const log = (await Ann.get('/api/audit-log')).body
    expect(log.filter(({ action }: { action: string }) => action === 'mails_retried')).toHaveLength(1)
  })

  test('lose their text after a week, and with the account', async () => {
    const { db, context, readMails, Ben, failed } = await open()
    const old = new Date(Date.now() - FAILED_RETENTION - 1000).toISOString()
    const [first] = (await readMails()).filter(
      ({ payload }) => !String(payload).includes(`"user_id":${Ben.id},`),
    )
    await transaction(db, (tx) =>
      tx.updateTable('jobs').set({ failed_at: old }).where('id', '=', Number(first!.id)).execute(),
    )
    const stop = startJobCleanup(db, { warn: () => {} })
    await eventually(async () =>
      expect((await readMails()).find(({ id }) => id === first!.id)).toMatchObject({ payload: null }),
    )
    await stop()
    expect((await readMails()).filter(({ payload }) => payload !== null)).toHaveLength(failed - 1)
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: false }))
    expect(JSON.stringify(await readMails())).not.toContain('ben@engawa.example')
  })
})
