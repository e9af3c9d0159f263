import type { CommunitySettingValues } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

const PASSWORD = 'correct horse'

/** The fields of a registration. */
const accountFields = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@engawa.example`,
  password: PASSWORD,
  password_confirmation: PASSWORD,
})

/** Registers a person with a new browser. Returns it with the response. */
export async function register({ visitor }: TestApp, name: string, more: object = {}) {
  const person = visitor({ host: 'town.example' })
  await person.get('/sanctum/csrf-cookie')
  const response = await person.post('/api/register', { ...accountFields(name), ...more })
  return { ...response, person }
}

/** Saves a setting without an admin. */
export const saveWhoCanJoin = ({ context }: TestApp, who_can_join: CommunitySettingValues['who_can_join']) =>
  transaction(context.db, (tx) => context.settings.save(tx, { who_can_join }))
