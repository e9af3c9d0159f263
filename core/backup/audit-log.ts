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

/** Returns a handler of errors that gives `value` for these codes, and throws other errors. */
const giveFor =
  <T>(value: T, ...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (codes.includes(error.code ?? '')) return value
    throw error
  }

/**
 * Lists what the backups in a folder know of the audit log, except those of which the witness says that they
 * know another log. `count` is the number of all. A folder that does not exist has none.
 */
export async function listBackupPositions(
  folder: string,
  witness: AuditLogWitness | null,
): Promise<{ count: number; positions: KnownAuditLogPosition[] }> {
  const positions: KnownAuditLogPosition[] = []
  let count = 0
  const names = await readdir(folder).catch(giveFor<string[]>([], 'ENOENT'))
  const { after, before } = witness?.otherBackups ?? { after: '', before: '' }
  for (const name of names.sort()) {
    if (name.startsWith('.') || name === 'lost+found') continue
    const file = join(folder, name, 'backup.json')
    const text = await readFile(file, 'utf8').catch(giveFor('', 'ENOENT', 'ENOTDIR'))
    const manifest = parseJsonOrUndefined(text)
    if (!v.is(Manifest, manifest)) continue
    count++
    if (manifest.made_at > after && manifest.made_at < before) continue
    positions.push({ ...manifest.audit_log, source: `the backup ${name}` })
  }
  return { count, positions }
}
