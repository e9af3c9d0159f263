import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestClient } from '#tests/harness.ts'

/**
 * Lists the kinds of a member's security events (the response has the newest first), as its client sees them.
 */
export const listSecurityEventKindsAsTestClient = async (client: TestClient): Promise<string[]> =>
  (await client.get('/api/account/security-events')).body.map(({ kind }: { kind: string }) => kind)

/**
 * Moves the time at which every session last confirmed the password into the past, by `minutes`. A
 * confirmation counts for ten minutes.
 */
export const moveTestPasswordConfirmationsIntoPast = (db: Db, minutes = 11) =>
  transaction(db, (tx) =>
    tx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .execute(),
  )
