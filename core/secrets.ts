import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, OperatorError, readOrCreateSecretFileBytes } from '#core/config.ts'
import { type Db, isPostgres, type MigrationsByName, type Tx } from '#core/database/database.ts'
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

export const secretMigrations: MigrationsByName = {
  'secrets 1': () => ['create table secrets (name text primary key, value text not null)'],
}

/**
 * Returns the configuration with the generated secrets of the process that started first on this PostgreSQL
 * database, so that all its processes have the same secrets. On SQLite, returns it unchanged. Secrets that an
 * environment variable sets are not written to the database.
 */
export async function shareSecretsAndLoadIntoConfig(config: Config, db: Db): Promise<Config> {
  if (!isPostgres(db)) return config
  const own = {
    SECRET: config.SECRET.toString('hex'),
    PUSHER_APP_SECRET: config.PUSHER_APP_SECRET,
    SETUP_CODE: config.SETUP_CODE,
    PUSH_KEY: config.PUSH_KEY,
  }
  const wanted = config.generatedSecrets
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

/** Throws OperatorError if another process keeps the pictures of this community in a different folder. */
export async function assertSharedMediaFolder({ DATA_DIR, REDIS_URL, MEDIA_URL }: Config, db: Db) {
  if (!REDIS_URL || MEDIA_URL) return
  const value = readOrCreateSecretFileBytes(DATA_DIR, 'media-folder').toString('hex')
  await addSecrets(db, [{ name: 'MEDIA_FOLDER', value }])
  const first = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'MEDIA_FOLDER')
    .executeTakeFirstOrThrow()
  if (first.value !== value)
    throw new OperatorError(
      'MEDIA_URL is needed where processes do not share one DATA_DIR: another process keeps the pictures in a folder of its own.',
    )
}

/**
 * Returns the contents of the files for the secrets that no environment variable sets, by file name, for a
 * backup. The set-up code is not among them, because it is only for a new server.
 */
export const collectBackupSecretFileContentsByName = ({
  generatedSecrets: ownSecrets,
  SECRET,
  PUSHER_APP_SECRET,
  PUSH_KEY,
}: Config): Record<string, string> => ({
  ...(ownSecrets.includes('SECRET') && { secret: SECRET.toString('hex') }),
  ...(ownSecrets.includes('PUSHER_APP_SECRET') && { 'pusher-secret': PUSHER_APP_SECRET }),
  'push-key': PUSH_KEY,
})

/**
 * The names of the files in DATA_DIR, and in a backup, that hold secrets, with the names of their rows in the
 * table `secrets`.
 */
const secretRowNames: Readonly<Record<string, string>> = {
  secret: 'SECRET',
  'pusher-secret': 'PUSHER_APP_SECRET',
  'push-key': 'PUSH_KEY',
}
/** The names of the files in DATA_DIR, and in a backup, that hold secrets. */
export const secretFileNames: readonly string[] = Object.keys(secretRowNames)

export async function readSecretFileContentsByName(folder: string): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of secretFileNames)
    if (existsSync(join(folder, name))) secrets[name] = await readFile(join(folder, name), 'utf8')
  return secrets
}

/**
 * Stores the contents of secret files in a restored database, for `shareSecretsAndLoadIntoConfig`.
 * Does nothing if `tables` has no table `secrets`, as in a backup of an old version.
 */
export async function insertRestoredSecretRows(
  tx: Tx,
  tables: object,
  secrets: Readonly<Record<string, string>>,
) {
  if (!('secrets' in tables)) return
  // Deletes MEDIA_FOLDER, which identifies the media folder of the community that was backed up, not the
  // folder of this machine.
  await tx.deleteFrom('secrets').where('name', '=', 'MEDIA_FOLDER').execute()
  for (const [file, text] of Object.entries(secrets)) {
    const row = { name: secretRowNames[file]!, value: text.trim() }
    await tx
      .insertInto('secrets')
      .values(row)
      .onConflict((c) => c.column('name').doUpdateSet(row))
      .execute()
  }
}
