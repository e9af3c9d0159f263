import { expect } from 'vitest'
import type { MailMessage } from '#core/mail/mail.ts'
import { createTestApp, type Dialect, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

export const OLD_PASSWORD = 'correct horse'
export const NEW_PASSWORD = 'seven paper lanterns'
export const ANN_EMAIL = 'ann@engawa.example'

/** Creates an app that cannot reach its mail server, so that its mails stay in the table `jobs`. */
export const appWithMails = (dialect: Dialect, env: Record<string, string> = {}) =>
  createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1', ...env } })

/**
 * Creates an app whose mails stay unsent, with the admin Ann and the member Ben. The email addresses of both
 * are verified.
 */
export async function appWithAnnAndBen(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await appWithMails(dialect, env)
  const { Ann, Ben } = await app.members('Ann', 'Ben')
  await verifyAllEmails(app)
  return { app, Ann, Ben }
}

/** Creates the HTTP client of a visitor, with the cookie of the CSRF token. */
export async function visitorOf(app: TestApp) {
  const visitor = app.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  return visitor
}

/** Logs in with an email address and a password. Returns the HTTP status of the response. */
export async function logInStatus(client: TestClient, password: string, email = ANN_EMAIL) {
  await client.get('/sanctum/csrf-cookie')
  return (await client.post('/login', { email, password })).status
}

export async function requestReset(client: TestClient, email = ANN_EMAIL) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/forgot-password', { email })
}

/**
 * Sends the request that sets a new password, and returns the response. `proof` contains a token, or an email
 * address and a code.
 */
export async function resetPassword(client: TestClient, proof: object, password = NEW_PASSWORD) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/reset-password', { ...proof, password, password_confirmation: password })
}

/** Lists the mails that wait in the table `jobs`, oldest first. */
export async function unsentMails({ context, db }: TestApp): Promise<MailMessage[]> {
  await context.jobs.idle()
  const rows = await readRows(db, 'jobs')
  return rows
    .filter(({ kind, payload }) => kind === 'mail' && payload !== null)
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ payload }) => JSON.parse(String(payload)))
}

/**
 * Returns the token from the newest mail to `to` that verifies or undoes a change of an email address;
 * undefined if there is no such mail.
 */
export async function emailChangeToken(app: TestApp, to: string, kind: 'verify' | 'undo') {
  const mails = (await unsentMails(app)).filter((mail) => mail.to === to)
  return mails.flatMap(({ text }) => new RegExp(`#${kind}=([\\w-]+)`).exec(text)?.[1] ?? []).at(-1)
}

/** Changes the email address of a member, and verifies the new address with the token of the mail to it. */
export async function changeEmail(app: TestApp, client: TestClient, email: string) {
  expect((await client.post('/api/account/email', { email })).status).toBe(200)
  const token = await emailChangeToken(app, email, 'verify')
  expect((await client.post('/api/account/email/verify', { token })).status).toBe(200)
}

/** Lists the tokens of all unsent mails with a link that sets a new password, oldest first. */
export const resetTokens = async (app: TestApp) =>
  (await unsentMails(app)).flatMap(({ text }) => /\/reset-password#([\w-]+)$/m.exec(text)?.[1] ?? [])
