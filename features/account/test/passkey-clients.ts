import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import type { PasskeyDevice } from './authenticator.ts'

/**
 * Requests the WebAuthn options from the endpoint `path` + `/options`, and returns them. They contain the
 * challenge.
 */
export async function passkeyOptions(client: TestClient, path: string) {
  const { status, body } = await client.post(`${path}/options`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { challenge: string }
}

/**
 * Adds the passkey of a simulated device to the member's account. Returns the id and the name of the new
 * passkey.
 */
export async function addPasskey(client: TestClient, device: PasskeyDevice, name?: string) {
  const credential = device.create(await passkeyOptions(client, '/api/account/passkeys'))
  const { status, body } = await client.post('/api/account/passkeys', { name, credential })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; name: string }
}

/**
 * Logs in with only the passkey of a simulated device, without an email address or a password. Returns the
 * response.
 */
export async function logInWithPasskey(client: TestClient, device: PasskeyDevice, conditions = {}) {
  await client.get('/sanctum/csrf-cookie')
  const credential = device.get(await passkeyOptions(client, '/api/passkeys/log-in'), conditions)
  return client.post('/api/passkeys/log-in', { credential })
}

/**
 * The expected response to every passkey that the server does not accept. The response never tells the
 * reason.
 */
export const passkeyRefusal = {
  status: 422,
  body: { message: 'The passkey was not accepted. Please try again.' },
}
