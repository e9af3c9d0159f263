import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import type { SimulatedPasskeyDevice } from './authenticator.ts'

/**
 * Requests the WebAuthn options from the endpoint `path` + `/options`, and returns them. They contain the
 * challenge.
 */
export async function requestPasskeyOptionsAsTestClient(client: TestClient, path: string) {
  const { status, body } = await client.post(`${path}/options`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { challenge: string }
}

/**
 * Adds the passkey of a simulated device to the member's account. Returns the id and the name of the new
 * passkey.
 */
export async function addPasskeyOfSimulatedDevice(
  client: TestClient,
  device: SimulatedPasskeyDevice,
  name?: string,
) {
  const credential = device.create(await requestPasskeyOptionsAsTestClient(client, '/api/account/passkeys'))
  const { status, body } = await client.post('/api/account/passkeys', { name, credential })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; name: string }
}

/**
 * Logs in with only the passkey of a simulated device, without an email address or a password. Returns the
 * response.
 */
export async function logInWithSimulatedPasskeyDevice(
  client: TestClient,
  device: SimulatedPasskeyDevice,
  conditions = {},
) {
  await client.get('/sanctum/csrf-cookie')
  const credential = device.get(
    await requestPasskeyOptionsAsTestClient(client, '/api/passkeys/log-in'),
    conditions,
  )
  return client.post('/api/passkeys/log-in', { credential })
}

/**
 * The expected response to every passkey that the server does not accept. The response never tells the
 * reason.
 */
export const expectedPasskeyRefusalResponse = {
  status: 422,
  body: { message: 'The passkey was not accepted. Please try again.' },
}
