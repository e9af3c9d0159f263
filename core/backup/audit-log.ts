import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { KnownAuditLogPosition } from '#core/audit-log/check.ts'
import {
  type AuditLogPosition,
  type AuditLogWitness,
  auditLogPositionEntries,
} from '#core/audit-log/witness.ts'
import { withSqliteReadTransaction } from '#core/backup/sqlite-file.ts'
import { parseJsonOrUndefined } from '#core/json.ts'

/** Reads how far the audit log of a SQLite file is; undefined if `tables` has none, as in an old backup. */
export async function readAuditLogPositionOfFile(
  file: string,
  tables: object,
): Promise<AuditLogPosition | undefined> {
  if (!('audit_log_head' in tables)) return
  return withSqliteReadTransaction(file, (db) =>
    db.selectFrom('audit_log_head').select(['entries', 'hash']).executeTakeFirst(),
  )
}

const Manifest = v.object({ made_at: v.string(), audit_log: v.object(auditLogPositionEntries) })

/**
 * Lists what the backups in a folder know of the audit log, except those of which the witness says that they
 * know another log. A folder that does not exist has no backups.
 */
export async function listBackupPositions(
  folder: string,
  witness: AuditLogWitness | null,
): Promise<KnownAuditLogPosition[]> {
  const positions: KnownAuditLogPosition[] = []
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const { after, before } = witness?.otherBackups ?? { after: '', before: '' }
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue
    const text = await readFile(join(folder, name, 'backup.json'), 'utf8').catch(() => '')
    const manifest = parseJsonOrUndefined(text)
    if (!v.is(Manifest, manifest) || (manifest.made_at > after && manifest.made_at < before)) continue
    positions.push({ ...manifest.audit_log, source: `the backup ${name}` })
  }
  return positions
}
