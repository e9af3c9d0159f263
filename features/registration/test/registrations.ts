import type { SettingValues } from '#core/community/settings-contract.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

const PASSWORD = 'correct horse'

const accountFields = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@engawa.example`,
  password: PASSWORD,
  password_confirmation: PASSWORD,
})

/** Registers a person with a new test client. Returns the response, and the client as `person`. */
export async function registerVisitor({ visitor }: TestApp, name: string, more: object = {}) {
  const person = visitor({ host: 'town.example' })
  await person.get('/sanctum/csrf-cookie')
  const response = await person.post('/api/register', { ...accountFields(name), ...more })
  return { ...response, person }
}

/** The expected response to an invitation code with which nobody can register. */
export const invalidInvitation = {
  status: 422,
  body: { message: 'This invitation cannot be used: it has expired or was used. Please ask for a new one.' },
}

/** Checks an invitation code with a new test client, and returns the response. */
export async function checkInvitation({ visitor }: TestApp, invitation: string) {
  const stranger = visitor()
  await stranger.get('/sanctum/csrf-cookie')
  return stranger.post('/api/invitations/check', { invitation })
}

/** Writes community settings directly to the test database, without a request of an admin. */
export const saveCommunity = ({ context }: TestApp, settings: Partial<SettingValues>) =>
  transaction(context.db, (tx) => context.settings.save(tx, settings))

/** Writes the setting `who_can_join` directly to the test database, without a request of an admin. */
export const saveWhoCanJoin = (app: TestApp, who_can_join: SettingValues['who_can_join']) =>
  saveCommunity(app, { who_can_join })
