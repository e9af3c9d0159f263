import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import type { Authenticator } from './authenticator.ts'

/** Asks for the options of a call, and returns their answer. */
export async function requestOptions(client: TestClient, path: string) {
  const { status, body } = await client.post(`${path}/options`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { challenge: string }
}

/** Adds a passkey to an account, and returns its listed fields. */
export async function addPasskey(client: TestClient, device: Authenticator, name?: string) {
  const credential = device.create(await requestOptions(client, '/api/account/passkeys'))
  const { status, body } = await client.post('/api/account/passkeys', { name, credential })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; name: string }
}

/** Logs in with a passkey, as a person does who has typed nothing. */
export async function logInWithPasskey(client: TestClient, device: Authenticator, conditions = {}) {
  await client.get('/sanctum/csrf-cookie')
  const credential = device.get(await requestOptions(client, '/api/passkeys/log-in'), conditions)
  return client.post('/api/passkeys/log-in', { credential })
}

/** The answer to every passkey that is not accepted. */
export const refusal = {
  status: 422,
  body: { message: 'The passkey was not accepted. Please try again.' },
}
