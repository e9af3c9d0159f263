import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { TestApp } from '#tests/harness.ts'

export const verifyAllEmails = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx.updateTable('users').set({ email_verified_at: isoNow(), email_proven_at: isoNow() }).execute(),
  )
