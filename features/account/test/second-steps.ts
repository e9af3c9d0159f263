import { expect } from 'vitest'
import { totpCode } from '#tests/authenticator-app.ts'
import type { TestClient } from '#tests/harness.ts'

/**
 * Turns on the second step of a member with one-time codes. Returns the secret of the authenticator app and
 * the recovery codes.
 */
export async function turnOnCodes(client: TestClient) {
  const { secret } = (await client.post('/api/account/one-time-codes')).body as { secret: string }
  const code = totpCode(secret)
  const { status, body } = await client.post('/api/account/one-time-codes/confirm', { code })
  expect(status).toBe(200)
  return { secret, codes: body.recovery_codes as string[] }
}

/**
 * Sends the email address and the password of a member, which is the first step of a log-in. Returns the
 * response.
 */
export async function submitPassword(client: TestClient, name: string, password = 'correct horse') {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/login', { email: `${name}@engawa.example`, password })
}

/** Sends a one-time code or a recovery code as the second step of a log-in. Returns the response. */
export const submitProof = (client: TestClient, proof: object) => client.post('/two-factor-challenge', proof)

export const isLoggedIn = async (client: TestClient) => (await client.get('/api/user')).status === 200
