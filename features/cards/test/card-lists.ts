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

/** Sends a list as an admin, and returns the cards. */
export async function createMemberListAndReturnCards(
  admin: TestClient,
  rows: readonly object[],
  more: object = {},
) {
  const { status, body } = await admin.post('/api/admin/member-lists', { key: 'a list', rows, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { cards: CreatedCard[]; expires_at: string }
}

/** Opens the welcome page with a new browser. Returns it with the calls of the page. */
export async function openWelcomePageInNewBrowser({ visitor }: TestApp, code: string) {
  const person = visitor({ host: 'town.example' })
  await person.get('/sanctum/csrf-cookie')
  return {
    person,
    check: () => person.post('/api/cards/check', { code }),
    use: (password = 'correct horse') => person.post('/api/cards/use', { code, password }),
  }
}
