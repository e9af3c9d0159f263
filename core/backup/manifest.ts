import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { BadSetting } from '#core/config.ts'
import type { Migrations } from '#core/database/database.ts'
import { hashFile, sha256 } from '#core/files.ts'
import { parseJson } from '#core/json.ts'

/*
 * A backup is a folder with these files: engawa.db (SQLite, also where the community is on PostgreSQL),
 * media/, the secrets, SHA256SUMS (of all these files, in the format of sha256sum), and backup.json, the
 * manifest.
 */
const Manifest = v.object({
  format: v.literal(1),
  version: v.string(),
  made_at: v.string(),
  made_from: v.picklist(['sqlite', 'postgres']),
  migrations: v.array(v.string()),
  tables: v.record(v.string(), v.object({ rows: v.number(), hash: v.string() })),
  pictures: v.object({ files: v.number(), bytes: v.number() }),
  /** Files of pictures that the database names and that did not exist when the backup was made. */
  missing: v.array(v.string()),
  /** SHA-256 of SHA256SUMS. */
  sums: v.string(),
})
export type Manifest = v.InferOutput<typeof Manifest>
/** Hashes of the files of a backup, by their path in it. */
export type Sums = ReadonlyMap<string, string>

/** Files that are read and written at the same time: most of the time goes to waiting. */
export const FILE_CONCURRENCY = 8

export const damaged = (backup: string, file: string) =>
  new BadSetting(`The backup ${backup} is damaged: ${file}.`)

/** Throws BadSetting where the folder is no backup, or one of a newer version, or its manifest is damaged. */
async function readManifest(backup: string, lists: readonly Migrations[]) {
  const text = await readFile(join(backup, 'backup.json'), 'utf8').catch(() => {
    throw new BadSetting(`${backup} is no backup: it has no backup.json.`)
  })
  const manifest = parseJson(text)
  if (!v.is(Manifest, manifest)) throw damaged(backup, 'backup.json')
  const known = new Set(lists.flatMap((list) => Object.keys(list)))
  if (manifest.migrations.some((name) => !known.has(name)))
    throw new BadSetting(
      `The backup ${backup} was made by a newer version (${manifest.version}): update Engawa first.`,
    )
  return manifest
}

/** Throws BadSetting where SHA256SUMS does not have the `expected` hash, or names unknown files. */
export async function readSums(backup: string, expected?: string): Promise<Sums> {
  const text = await readFile(join(backup, 'SHA256SUMS'), 'utf8').catch(() => '')
  const lines = text.split('\n').filter(Boolean)
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)] as const))
  const isKnown = (name: string) => /^(engawa\.db|[a-z]+(-[a-z]+)*|media\/[\w-]+\.webp)$/.test(name)
  if ((expected !== undefined && sha256(text) !== expected) || ![...sums.keys()].every(isKnown))
    throw damaged(backup, 'SHA256SUMS')
  return sums
}

export const isMedia = (path: string) => path.startsWith('media/')

export const formatSums = (sums: Sums) => [...sums].map(([name, hash]) => `${hash}  ${name}\n`).join('')

export interface CheckedBackup {
  folder: string
  manifest: Manifest
  sums: Sums
}

/** Hashes all files. Throws BadSetting with the name of one whose content has changed. */
export async function checkBackup(folder: string, lists: readonly Migrations[]): Promise<CheckedBackup> {
  const manifest = await readManifest(folder, lists)
  const sums = await readSums(folder, manifest.sums)
  for (const [name, hash] of sums)
    if ((await hashFile(join(folder, name))) !== hash) throw damaged(folder, name)
  return { folder, manifest, sums }
}
