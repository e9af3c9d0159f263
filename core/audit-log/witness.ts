import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseJson } from '#core/text/json.ts'

/** The name of the file in DATA_DIR that says how far this server knows the audit log. */
export const FILE = 'audit-log-witness'

/** The number of rows of an audit log, and the hash of its last row. */
const Position = v.object({
  entries: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hash: v.string(),
})
export type Position = v.InferOutput<typeof Position>
export const positionEntries = Position.entries

const Witness = v.object({
  ...Position.entries,
  /** Whether the head of the log had a seal. If it had, it must have one. */
  isSealed: v.boolean(),
  /**
   * The backups that were made between these ISO times know another log, because an older backup was restored
   * since then, or the operator accepted the log.
   */
  otherBackups: v.nullable(v.object({ after: v.string(), before: v.string() })),
})
/**
 * What DATA_DIR knows of the audit log, so that nobody who has only the database can put back an older log.
 */
export type LogWitness = v.InferOutput<typeof Witness>

/** Reads the witness of a data folder; null if there is none. A broken one counts as one that contradicts. */
export function read(folder: string): LogWitness | null {
  const file = join(folder, FILE)
  if (!existsSync(file)) return null
  const witness = parseJson(readFileSync(file, 'utf8'))
  if (v.is(Witness, witness)) return witness
  return { entries: 0, hash: 'unreadable', isSealed: true, otherBackups: null }
}

export const format = (witness: LogWitness) => `${JSON.stringify(witness)}\n`

export function write(folder: string, witness: LogWitness) {
  const file = join(folder, FILE)
  const own = `${file}.${process.pid}`
  writeFileSync(own, format(witness), { mode: 0o600, flush: true })
  renameSync(own, file)
}
