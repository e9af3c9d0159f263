import type { MailMessage } from '#core/mail/mail.ts'
import { createTestApp, type Dialect, readTableRows, type TestApp, type TestClient } from '#tests/harness.ts'

export const OLD = 'correct horse'
export const NEW = 'seven paper lanterns'
export const ANN = 'ann@engawa.example'

/** Creates an app that sends mails to a server that never answers, so that they stay in the table `jobs`. */
export const createAppWithUnsentMails = (dialect: Dialect, env: Record<string, string> = {}) =>
  createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1', ...env } })

export async function logIn(client: TestClient, password: string, email = ANN) {
  await client.get('/sanctum/csrf-cookie')
  return (await client.post('/login', { email, password })).status
}

export async function forgetPassword(client: TestClient, email = ANN) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/forgot-password', { email })
}

/** Sets a new password with a token, or with an address and a code. */
export async function resetPassword(client: TestClient, proof: object, password = NEW) {
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

/** Returns the tokens of all mails with a link that sets a new password, oldest first. */
export const listTokens = async (app: TestApp) =>
  (await listUnsentMails(app)).flatMap(({ text }) => /\/reset-password#([\w-]+)$/m.exec(text)?.[1] ?? [])
