import { expect } from 'vitest'
import type { MailMessage } from '#core/mail/mail.ts'
import { createTestApp, type Dialect, readTableRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { markAllEmailAddressesVerified } from '#tests/verified-addresses.ts'

export const OLD_PASSWORD = 'correct horse'
export const NEW_PASSWORD = 'seven paper lanterns'
export const ANN_EMAIL = 'ann@engawa.example'

/** Creates an app that cannot reach its mail server, so that its mails stay in the table `jobs`. */
export const createAppWithUnsentMails = (dialect: Dialect, env: Record<string, string> = {}) =>
  createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1', ...env } })

/**
 * Creates an app with unsent mails, the admin Ann and the member Ben. The e-mail addresses of both are
 * verified.
 */
export async function createAppWithVerifiedMembers(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await createAppWithUnsentMails(dialect, env)
  const { Ann, Ben } = await app.members('Ann', 'Ben')
  await markAllEmailAddressesVerified(app)
  return { app, Ann, Ben }
}

/** Returns the HTTP client of a visitor, with the cookie of the anti-forgery token. */
export async function openVisitorWithCsrfToken(app: TestApp) {
  const visitor = app.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  return visitor
}

/** Logs in with the password. Returns the status of the answer. */
export async function logIn(client: TestClient, password: string, email = ANN_EMAIL) {
  await client.get('/sanctum/csrf-cookie')
  return (await client.post('/login', { email, password })).status
}

export async function requestPasswordResetMail(client: TestClient, email = ANN_EMAIL) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/forgot-password', { email })
}

/**
 * Sends the request that sets a new password, and returns the response. `proof` is a token, or an email
 * address and a code.
 */
export async function resetPassword(client: TestClient, proof: object, password = NEW_PASSWORD) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/reset-password', { ...proof, password, password_confirmation: password })
}

/** Returns the mails that wait in the table `jobs`, oldest first. */
export async function listUnsentMails({ context, db }: TestApp): Promise<MailMessage[]> {
  await context.jobs.idle()
  const rows = await readTableRows(db, 'jobs')
  return rows
    .filter(({ kind, payload }) => kind === 'mail' && payload !== null)
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ payload }) => JSON.parse(String(payload)))
}

/**
 * Returns the newest token that was mailed to `to`, which verifies or undoes a change of an email address;
 * undefined if there is none.
 */
export async function findMailedEmailChangeToken(app: TestApp, to: string, kind: 'verify' | 'undo') {
  const mails = (await listUnsentMails(app)).filter((mail) => mail.to === to)
  return mails.flatMap(({ text }) => new RegExp(`#${kind}=([\\w-]+)`).exec(text)?.[1] ?? []).at(-1)
}

/** Changes the address of a member, and verifies it with the token of the mail to the new address. */
export async function changeAndVerifyEmail(app: TestApp, client: TestClient, email: string) {
  expect((await client.post('/api/account/email', { email })).status).toBe(200)
  const token = await findMailedEmailChangeToken(app, email, 'verify')
  expect((await client.post('/api/account/email/verify', { token })).status).toBe(200)
}

/** Returns the tokens of all mails with a link that sets a new password, oldest first. */
export const listMailedPasswordResetTokens = async (app: TestApp) =>
  (await listUnsentMails(app)).flatMap(({ text }) => /\/reset-password#([\w-]+)$/m.exec(text)?.[1] ?? [])
