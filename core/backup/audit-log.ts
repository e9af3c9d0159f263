import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { KnownPosition } from '#core/audit-log/check.ts'
import type { LogWitness, Position } from '#core/audit-log/witness.ts'
import * as logWitness from '#core/audit-log/witness.ts'
import { withReadTransaction } from '#core/backup/sqlite-file.ts'
import { parseJson } from '#core/text/json.ts'

/** Reads how far the audit log of a SQLite file is; undefined if `tables` has none, as in an old backup. */
export async function logPositionOf(file: string, tables: object): Promise<Position | undefined> {
  if (!('audit_log_head' in tables)) return
  return withReadTransaction(file, (db) =>
    db.selectFrom('audit_log_head').select(['entries', 'hash']).executeTakeFirst(),
  )
}

const Manifest = v.object({ made_at: v.string(), audit_log: v.object(logWitness.positionEntries) })

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
export async function listLogPositions(
  folder: string,
  witness: LogWitness | null,
): Promise<{ count: number; positions: KnownPosition[] }> {
  const positions: KnownPosition[] = []
  let count = 0
  const names = await readdir(folder).catch(giveFor<string[]>([], 'ENOENT'))
  const { after, before } = witness?.otherBackups ?? { after: '', before: '' }
  for (const name of names.sort()) {
    if (name.startsWith('.') || name === 'lost+found') continue
    const file = join(folder, name, 'backup.json')
    const text = await readFile(file, 'utf8').catch(giveFor('', 'ENOENT', 'ENOTDIR'))
    const manifest = parseJson(text)
    if (!v.is(Manifest, manifest)) continue
    count++
    if (manifest.made_at > after && manifest.made_at < before) continue
    positions.push({ ...manifest.audit_log, source: `the backup ${name}` })
  }
  return { count, positions }
}
