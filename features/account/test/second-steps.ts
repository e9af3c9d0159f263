import { expect } from 'vitest'
import { computeTestTotpCode } from '#tests/authenticator-app.ts'
import type { TestClient } from '#tests/harness.ts'

/** Turns the one-time codes of a member on. Returns the secret and the recovery codes. */
export async function turnOnOneTimeCodesAsTestClient(client: TestClient) {
  const { secret } = (await client.post('/api/account/one-time-codes')).body as { secret: string }
  const code = computeTestTotpCode(secret)
  const { status, body } = await client.post('/api/account/one-time-codes/confirm', { code })
  expect(status).toBe(200)
  return { secret, codes: body.recovery_codes as string[] }
}

/** Sends the e-mail address and the password of a member, as the first step of a log-in. */
export async function submitLogInPasswordAsTestClient(
  client: TestClient,
  name: string,
  password = 'correct horse',
) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/login', { email: `${name}@engawa.example`, password })
}

/** Answers the second step of a log-in with a code or a recovery code. */
export const submitSecondStepProofAsTestClient = (client: TestClient, proof: object) =>
  client.post('/two-factor-challenge', proof)

export const isTestClientLoggedIn = async (client: TestClient) =>
  (await client.get('/api/user')).status === 200
