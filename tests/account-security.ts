import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestClient } from '#tests/harness.ts'

/**
 * Returns the kinds of the security events of a member, newest first, as the API shows them to the member's
 * own client.
 */
export const securityKinds = async (client: TestClient): Promise<string[]> =>
  (await client.get('/api/account/security-events')).body.map(({ kind }: { kind: string }) => kind)

/**
 * Moves the time at which each session last confirmed the password `minutes` minutes into the past, in the
 * database. With the default of 11 minutes, the server asks for the password again, because a confirmation is
 * valid for ten minutes.
 */
export const ageConfirmations = (db: Db, minutes = 11) =>
  transaction(db, (tx) =>
    tx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .execute(),
  )
