import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AuditLogCheck,
  acceptAuditLog,
  checkAuditLog,
  isIntact,
  type KnownPosition,
} from '#core/audit-log/check.ts'
import type { LogWitness } from '#core/audit-log/witness.ts'
import * as logWitness from '#core/audit-log/witness.ts'
import { listLogPositions } from '#core/backup/audit-log.ts'
import { type Config, OperatorError } from '#core/config.ts'
import { isoNow } from '#core/database/database.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

export const logCliCommandsByName: Record<string, CliCommand> = {
  'log check': {
    argument: '[FOLDER]',
    description: 'checks the log of admins, also by the backups in FOLDER (or BACKUP_DIR)',
    run: (folder) =>
      withCommunityDatabase(async ({ db, config }) => {
        const witness = logWitness.read(config.DATA_DIR)
        const backups = await readBackups(folder, config, witness)
        const own = witness ? [{ ...witness, source: 'DATA_DIR' }] : []
        const check = await checkAuditLog(db, config.AUDIT_LOG_KEY, [...own, ...backups])
        if (!isIntact(check)) throw new OperatorError(describeFaults(check))
        return describeProof(check, witness, backups)
      }),
  },
  'log accept': {
    description: 'takes the log of admins as it is, after a lost key or an older database',
    run: () =>
      withCommunityDatabase(async ({ db, config }) => {
        const position = await acceptAuditLog(db, config.AUDIT_LOG_KEY)
        const otherBackups = { after: '', before: isoNow() }
        logWitness.write(config.DATA_DIR, { ...position, isSealed: true, otherBackups })
        return `The log is taken as it is, with ${position.entries} entries. Restart the server, and make a backup.`
      }),
  },
}

/** Lists what the backups in the folder know that the operator names; in BACKUP_DIR, there may be none. */
async function readBackups(given: string | undefined, { BACKUP_DIR }: Config, witness: LogWitness | null) {
  const folder = given === undefined ? BACKUP_DIR : resolve(given)
  const { count, positions } = await listLogPositions(folder, witness)
  if (given !== undefined && count === 0)
    throw new OperatorError(
      existsSync(folder)
        ? `FOLDER takes a folder with backups: ${folder} holds none that knows the log of admins.`
        : `FOLDER takes a folder with backups: ${folder} does not exist.`,
    )
  return positions
}

function describeFaults(check: AuditLogCheck) {
  const { entries, hash, firstWrongId, hasRightSeal, unprovenFrom, cut, different } = check
  const lines = []
  if (firstWrongId !== null)
    lines.push(`The log of what admins did was changed with another tool, at entry ${firstWrongId} or later.`)
  const lastCut = newest(cut)
  if (lastCut)
    lines.push(
      `The log ends at entry ${entries}, but ${lastCut.source} knows entry ${lastCut.entries}: the end was cut off, or an older database was put back.`,
    )
  const lastDifferent = newest(different)
  if (lastDifferent)
    lines.push(
      `Entry ${lastDifferent.entries} is not the one that ${lastDifferent.source} knows: the log was written anew, at this entry or before.`,
    )
  if (!hasRightSeal)
    lines.push(
      `The end of the log (entry ${entries}, hash ${hash || 'none'}) is not sealed with the key of this server. Either another tool changed the log (cut it, emptied it or wrote it anew), or the key is another one: AUDIT_LOG_KEY, or the file audit-log-key in DATA_DIR.`,
    )
  if (unprovenFrom !== null)
    lines.push(
      `Before entry ${unprovenFrom} was written, the log had no right seal: another tool had changed it, or a process with another key had written to it.`,
    )
  lines.push(
    'If you know the reason (a lost key, a database that you put back), `engawa log accept` takes the log as it is.',
  )
  return lines.join('\n')
}

/** Returns the last of some positions, if there is one, so that a hundred backups do not say the same. */
const newest = (positions: readonly KnownPosition[]) =>
  positions.toSorted((one, other) => one.entries - other.entries).at(-1)

function describeProof(
  { entries, hash, keyedFrom }: AuditLogCheck,
  witness: LogWitness | null,
  backups: readonly KnownPosition[],
) {
  const first = keyedFrom ?? 1
  const lines = [`The log is intact: ${entries} entries.${hash && ` The hash of the last one is ${hash}`}`]
  if (entries >= first)
    lines.push(
      `Proven by the key: nobody without it has changed, added, removed or swapped entry ${first} to ${entries}.`,
    )
  if (first > 1)
    lines.push(
      `Not proven: entry 1 to ${first - 1} are from before the key. They are as they were when it came; what was changed earlier cannot be seen.`,
    )
  const last = newest(backups)
  lines.push(
    `Compared with ${witness ? `DATA_DIR (entry ${witness.entries})` : 'no record in DATA_DIR'} and ` +
      `${backups.length} backups${last ? ` (the newest: entry ${last.entries})` : ''}: an older database would have been noticed up to there.`,
    'Not proven: somebody who has the key (DATA_DIR or a backup) and can write to the database can write another log. Copies of the backups or of the log of the server on another machine show that.',
  )
  return lines.join('\n')
}
