import { checkAuditLog, isIntact } from '#core/audit-log/check.ts'
import * as logWitness from '#core/audit-log/witness.ts'
import type { Db } from '#core/database/database.ts'
import type { TestApp } from './harness.ts'

/** Checks the audit log of a test app with its key, and with what its data folder knows. */
export async function checkLog(
  { config, folder, ...app }: Pick<TestApp, 'config' | 'folder' | 'db'>,
  db: Db = app.db,
) {
  const witness = logWitness.read(folder)
  const check = await checkAuditLog(
    db,
    config.AUDIT_LOG_KEY,
    witness ? [{ ...witness, source: 'DATA_DIR' }] : [],
  )
  return { ...check, isIntact: isIntact(check) }
}
