import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

export const markAllTestEmailAddressesVerified = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx
      .updateTable('users')
      .set({ email_verified_at: currentIsoTime(), email_proven_at: currentIsoTime() })
      .execute(),
  )
