import { hkdfSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, LOG_KEY_FILE, OperatorError } from '#core/config.ts'
import type { Sentence } from '#core/contract.ts'
import { type Db, isPostgres, type Migrations, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

export interface SecretTables {
  /**
   * The table of the secrets that processes share through PostgreSQL. Without it each process would use its
   * own secrets.
   */
  secrets: { name: string; value: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends SecretTables {}
}

export const migrations: Migrations = {
  'secrets 1': () => ['create table secrets (name text primary key, value text not null)'],
}

/**
 * Returns the configuration with the generated secrets of the process that started first on this PostgreSQL
 * database, so that all its processes have the same secrets. On SQLite, returns it unchanged. Secrets that an
 * environment variable sets are not written to the database.
 */
export async function share(config: Config, db: Db): Promise<Config> {
  if (!isPostgres(db)) return config
  const own = {
    SECRET: config.SECRET.toString('hex'),
    PUSHER_APP_SECRET: config.PUSHER_APP_SECRET,
    SETUP_CODE: config.SETUP_CODE,
    PUSH_KEY: config.PUSH_KEY,
  }
  const wanted = config.generatedSecrets.filter((name) => name !== 'AUDIT_LOG_KEY')
  await addSecrets(
    db,
    wanted.map((name) => ({ name, value: own[name] })),
  )
  const rows = await db.selectFrom('secrets').selectAll().where('name', 'in', wanted).execute()
  const shared = Object.fromEntries(
    rows.map(({ name, value }) => [name, name === 'SECRET' ? Buffer.from(value, 'hex') : value]),
  )
  return Object.freeze({ ...config, ...shared })
}

/** Adds rows to the table `secrets`. Does not change the secrets that another process has stored. */
const addSecrets = (db: Db, rows: readonly SecretTables['secrets'][]) =>
  transaction(db, (tx) =>
    tx
      .insertInto('secrets')
      .values(rows)
      .onConflict((c) => c.doNothing())
      .execute(),
  )

/** The secrets on which stored data depends, with what does not work with another value. */
const dependents = {
  SECRET: {
    en: 'authenticator apps, links in mails and remembered devices',
    ja: '認証アプリのコード、メールのリンク、記憶された端末',
  },
  PUSH_KEY: { en: 'notifications on devices', ja: '端末への通知' },
} as const satisfies Record<string, Sentence>
type CheckedSecretName = keyof typeof dependents
const checkedNames = Object.keys(dependents) as CheckedSecretName[]
const checkRowNames = checkedNames.map((name) => `${name}_CHECK`)

/** Returns a value by which a secret is known again, and from which nobody can compute it. */
const createCheck = (config: Config, name: CheckedSecretName) =>
  Buffer.from(hkdfSync('sha256', config[name], '', `engawa check of ${name}`, 32)).toString('hex')

/** Returns the names of the secrets that have another value than at the first start of this community. */
export async function listChanged(config: Config, db: Db): Promise<CheckedSecretName[]> {
  const rows = await db.selectFrom('secrets').selectAll().where('name', 'in', checkRowNames).execute()
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  return checkedNames.filter((name) => {
    const expected = stored.get(`${name}_CHECK`)
    return expected !== undefined && expected !== createCheck(config, name)
  })
}

/** Returns what does not work any more because these secrets have another value. */
export const listDependents = (names: readonly CheckedSecretName[]): Sentence => ({
  en: names.map((name) => dependents[name].en).join(', '),
  ja: names.map((name) => dependents[name].ja).join('、'),
})

/** Throws OperatorError if a secret has another value than at the first start of this community. */
export async function requireSame(config: Config, db: Db) {
  const changed = await listChanged(config, db)
  if (changed.length)
    throw new OperatorError(
      `${changed.join(' and ')} takes the value with which this community began: with another one, ` +
        `${listDependents(changed).en} stop working. Set it, or restore its file in DATA_DIR from ` +
        'a backup; to go on with the new value, run `engawa secret accept`.',
    )
}

/** Stores by which values the secrets are known again, where that is not stored yet. */
export const remember = (config: Config, db: Db) => addSecrets(db, createCheckRows(config))

/** Takes the values that the secrets have now as those of the community. */
export const acceptSecrets = (config: Config, db: Db) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('secrets').where('name', 'in', checkRowNames).execute()
    await tx.insertInto('secrets').values(createCheckRows(config)).execute()
  })

const createCheckRows = (config: Config) =>
  checkedNames.map((name) => ({ name: `${name}_CHECK`, value: createCheck(config, name) }))

/**
 * Returns the contents of the files for the secrets that no environment variable sets, by file name, for a
 * backup. The set-up code is not among them, because it is only for a new server.
 */
export const filesForBackup = ({
  generatedSecrets: ownSecrets,
  AUDIT_LOG_KEY,
  SECRET,
  PUSHER_APP_SECRET,
  PUSH_KEY,
}: Config): Record<string, string> => ({
  ...(ownSecrets.includes('SECRET') && { secret: SECRET.toString('hex') }),
  ...(ownSecrets.includes('PUSHER_APP_SECRET') && { 'pusher-secret': PUSHER_APP_SECRET }),
  'push-key': PUSH_KEY,
  ...(ownSecrets.includes('AUDIT_LOG_KEY') && { [LOG_KEY_FILE]: AUDIT_LOG_KEY.toString('hex') }),
})

/**
 * The names of the files in DATA_DIR, and in a backup, that hold secrets, with the names of their rows in the
 * table `secrets`. The key of the audit log has no row.
 */
const secretRowNames: Readonly<Record<string, string>> = {
  secret: 'SECRET',
  'pusher-secret': 'PUSHER_APP_SECRET',
  'push-key': 'PUSH_KEY',
}
/** The names of the files in DATA_DIR, and in a backup, that hold secrets. */
export const fileNames: readonly string[] = [...Object.keys(secretRowNames), LOG_KEY_FILE]

export async function readFiles(folder: string): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of fileNames)
    if (existsSync(join(folder, name))) secrets[name] = await readFile(join(folder, name), 'utf8')
  return secrets
}

/**
 * Deletes the id of the storage of the community that was backed up or moved, because its pictures are in
 * another storage now: see core/media/marker.ts. Earlier versions called the row MEDIA_FOLDER.
 */
export const deleteStorageRows = (tx: Tx) =>
  tx.deleteFrom('secrets').where('name', 'in', ['MEDIA_STORAGE', 'MEDIA_FOLDER']).execute()

/**
 * Stores the contents of secret files in a restored database, for `storedSecrets.share`.
 * Does nothing if `tables` has no table `secrets`, as in a backup of an old version.
 */
export async function insertRestored(tx: Tx, tables: object, secrets: Readonly<Record<string, string>>) {
  if (!('secrets' in tables)) return
  await deleteStorageRows(tx)
  for (const [file, name] of Object.entries(secretRowNames)) {
    if (secrets[file] === undefined) continue
    const row = { name, value: secrets[file].trim() }
    await tx
      .insertInto('secrets')
      .values(row)
      .onConflict((c) => c.column('name').doUpdateSet(row))
      .execute()
  }
}
