import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import * as logWitness from '#core/audit-log/witness.ts'
import { OperatorError } from '#core/config.ts'
import type { Migrations } from '#core/database/database.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { hashFile, toSha256Hex } from '#core/process/files.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import { parseJson } from '#core/text/json.ts'

/*
 * The schema of backup.json, the manifest of a backup. A backup is a folder with these files: engawa.db (a
 * SQLite database, also if the community is on PostgreSQL), the pictures in media/, the secrets, SHA256SUMS
 * (the hashes of all these files, in the format of sha256sum), and backup.json.
 */
const BackupManifest = v.object({
  format: v.literal(1),
  version: v.string(),
  made_at: v.string(),
  made_from: v.picklist(['sqlite', 'postgres']),
  migrations: v.array(v.string()),
  tables: v.record(v.string(), v.object({ rows: v.number(), hash: v.string() })),
  pictures: v.object({ files: v.number(), bytes: v.number() }),
  /**
   * The names of the files of pictures that the database names and that did not exist when the backup was
   * made.
   */
  missing: v.array(v.string()),
  /** How far the audit log was; missing in backups of earlier versions. */
  audit_log: v.optional(v.object(logWitness.positionEntries)),
  /** The SHA-256 of the file SHA256SUMS, in hexadecimal. */
  sums: v.string(),
})
export type BackupManifest = v.InferOutput<typeof BackupManifest>
/** The hashes of the files of a backup, by their paths in the backup. */
export type FileHashes = ReadonlyMap<string, string>

/** How many files a backup, a restore or a move reads and writes at the same time. */
export const CONCURRENCY = 8

export const damaged = (backup: string, file: string) =>
  new OperatorError(`The backup ${backup} is damaged: ${file}.`)

/**
 * Reads backup.json. Throws OperatorError if the folder is not a backup, is a backup of a newer version, or
 * has a damaged manifest.
 */
async function readManifest(backup: string, migrations: readonly Migrations[]) {
  const text = await readFile(join(backup, 'backup.json'), 'utf8').catch(() => {
    throw new OperatorError(`${backup} is no backup: it has no backup.json.`)
  })
  const manifest = parseJson(text)
  if (!v.is(BackupManifest, manifest)) throw damaged(backup, 'backup.json')
  const known = new Set(migrations.flatMap((list) => Object.keys(list)))
  if (manifest.migrations.some((name) => !known.has(name)))
    throw new OperatorError(
      `The backup ${backup} was made by a newer version (${manifest.version}): update Engawa first.`,
    )
  return manifest
}

/**
 * Reads SHA256SUMS. Throws OperatorError if the file does not have the hash `expected`, or names unknown
 * files.
 */
export async function readSums(backup: string, expected?: string): Promise<FileHashes> {
  const text = await readFile(join(backup, 'SHA256SUMS'), 'utf8').catch(() => '')
  const lines = text.split('\n').filter(Boolean)
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)] as const))
  if ((expected !== undefined && toSha256Hex(text) !== expected) || ![...sums.keys()].every(isBackupPath))
    throw damaged(backup, 'SHA256SUMS')
  return sums
}

export const isMediaPath = (path: string) =>
  path.startsWith('media/') && storedNames.findMedia(path.slice('media/'.length)) !== null

/** Whether a backup may have a file with this path: the database, a picture or other file, or a secret. */
const isBackupPath = (path: string) =>
  path === 'engawa.db' || isMediaPath(path) || storedSecrets.fileNames.includes(path)

export const formatSums = (sums: FileHashes) => [...sums].map(([name, hash]) => `${hash}  ${name}\n`).join('')

export interface CheckedBackup {
  folder: string
  manifest: BackupManifest
  sums: FileHashes
}

/**
 * Checks that all files of a backup have the hashes in its list. Returns its folder, manifest and hashes.
 * Throws OperatorError with the name of the first file that is missing or has changed.
 */
export async function readAndCheck(
  folder: string,
  migrations: readonly Migrations[],
): Promise<CheckedBackup> {
  const manifest = await readManifest(folder, migrations)
  const sums = await readSums(folder, manifest.sums)
  for (const [name, hash] of sums)
    if ((await hashFile(join(folder, name))) !== hash) throw damaged(folder, name)
  return { folder, manifest, sums }
}
