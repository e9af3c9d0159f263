import { sql } from 'kysely'
import { transaction } from '#core/database/transaction.ts'
import { appWithMails, unsentMails } from '#features/account/test/resets.ts'
import { saveWhoCanJoin } from '#features/registration/test/registrations.ts'
import { createTestApp, type Dialect, type TestApp, type TestClient } from '#tests/harness.ts'

export const JOIN_PASSWORD = 'correct horse'

/**
 * Creates a community in which admins decide who joins. Ann is the admin. With `mail`, its mails stay unsent
 * in the table `jobs`; otherwise it has no mail server.
 */
export async function approvalScene(dialect: Dialect, { mail = true } = {}) {
  const app = mail ? await appWithMails(dialect) : await createTestApp({ dialect })
  const { Ann, Ben } = await app.members('Ann', 'Ben')
  await saveWhoCanJoin(app, 'approval')
  await transaction(app.db, (tx) => sql`delete from jobs`.execute(tx))
  return { app, Ann, Ben }
}

/**
 * Sends a join request from a new visitor. Returns the response, the HTTP client of the visitor as
 * `person`, and functions that read the state of the join request and log in.
 */
export async function askToJoin(app: TestApp, name: string, more: object = {}, lang = 'en') {
  const person = app.visitor({ 'accept-language': lang })
  await person.get('/sanctum/csrf-cookie')
  const email = `${name.toLowerCase()}@engawa.example`
  const request = { name, email, password: JOIN_PASSWORD, answer: `I am ${name}.` }
  const response = await person.post('/api/join-requests', { ...request, ...more })
  const { token } = response.body as { token: string }
  const readState = async () => (await person.post('/api/join-requests/state', { token })).body.state
  const logIn = () => person.post('/login', { email, password: JOIN_PASSWORD })
  return { ...response, person, token, readState, logIn }
}

/**
 * Returns the tokens in the unsent mails that ask a person to verify the email address of a join request,
 * oldest first.
 */
export const joinTokens = async (app: TestApp) =>
  (await unsentMails(app)).flatMap(({ text }) => /#verify=([\w-]+)$/m.exec(text)?.[1] ?? [])

export const verifyJoinEmail = (person: TestClient, token: string | undefined) =>
  person.post('/api/join-requests/verify', { token })

/**
 * Sends a join request from a new visitor. Then verifies its email address with the token from the mail, as
 * the page that the mail links to does.
 */
export async function askAndVerify(app: TestApp, name: string, more: object = {}, lang = 'en') {
  const asked = await askToJoin(app, name, more, lang)
  await verifyJoinEmail(asked.person, (await joinTokens(app)).at(-1))
  return asked
}

export const waitingRequests = async (admin: TestClient) =>
  (await admin.get('/api/admin/join-requests')).body as { id: number; name: string }[]

export const decideRequest = (
  admin: TestClient,
  id: number,
  decision: 'approve' | 'refuse',
  body: object = {},
) => admin.post(`/api/admin/join-requests/${id}/${decision}`, body)
