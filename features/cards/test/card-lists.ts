import { expect } from 'vitest'
import type { TestApp, TestClient } from '#tests/harness.ts'

interface CreatedCard {
  user_id: number
  name: string
  handle: string
  group: string | null
  code: string
  link: string
}

/** Imports a list of new members as an admin. Returns the log-in cards, and the time when they expire. */
export async function importList(admin: TestClient, rows: readonly object[], more: object = {}) {
  const { status, body } = await admin.post('/api/admin/member-lists', { key: 'a list', rows, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { cards: CreatedCard[]; expires_at: string }
}

/**
 * Creates a test client without a session, and returns it with functions that send the requests of the
 * welcome page for the log-in card with this code.
 */
export async function welcomeRequests({ visitor }: TestApp, code: string) {
  const person = visitor({ host: 'town.example' })
  await person.get('/sanctum/csrf-cookie')
  return {
    person,
    check: () => person.post('/api/cards/check', { code }),
    use: (password = 'correct horse', names: object = {}) =>
      person.post('/api/cards/use', { code, password, ...names }),
  }
}
