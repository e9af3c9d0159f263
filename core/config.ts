import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { readSecret, type SettingValue } from '#core/environment/secret-files.ts'
import { variables } from '#core/environment/settings.ts'
import { unknownSettings } from '#core/environment/unknown.ts'
import type { VariableDefinition } from '#core/environment/values.ts'
import { makeFolder } from '#core/process/files.ts'

type EnvironmentSettings = {
  readonly [K in keyof typeof variables]: v.InferOutput<(typeof variables)[K]['schema']>
}
type SecretName = 'SECRET' | 'PUSHER_APP_SECRET' | 'SETUP_CODE'
type GeneratedSecretName = SecretName | 'PUSH_KEY' | 'AUDIT_LOG_KEY'
export interface Config
  extends Omit<EnvironmentSettings, SecretName | 'AUDIT_LOG_KEY' | 'BACKUP_AT' | 'BACKUP_DIR'> {
  /** The time of nightly backups, in the time zone of this machine; null if there are none. */
  readonly BACKUP_AT: string | null
  /** The folder for backups. By default it is `backups` in DATA_DIR. */
  readonly BACKUP_DIR: string
  /**
   * The key that signs anti-forgery tokens, links in mails, device cookies and the ETags of archives, and
   * that hashes ids and addresses which must stay secret. The keys that encrypt the members' second-step
   * secrets are derived from it. By default a random value that is stored in DATA_DIR.
   */
  readonly SECRET: Buffer
  /**
   * The key that signs subscriptions and sign-ins of Pusher clients, webhooks, and the calls of the Pusher
   * HTTP API. By default a random value that is stored in DATA_DIR.
   */
  readonly PUSHER_APP_SECRET: string
  /** The code that makes an account the first admin. By default a random value that is stored in DATA_DIR. */
  readonly SETUP_CODE: string
  /**
   * The private key of Web Push (VAPID, RFC 8292): 32 bytes in hexadecimal, stored in DATA_DIR. Browsers bind
   * their subscriptions to it, so a new key would end all subscriptions.
   */
  readonly PUSH_KEY: string
  /**
   * The key that seals the audit log. It is never in the database, so that nobody who can write only there
   * can seal a changed log. Without a setting it is stored in DATA_DIR, or derived from a SECRET that is set.
   */
  readonly AUDIT_LOG_KEY: Buffer
  /** The names of the secrets that are stored in DATA_DIR because no environment variable sets them. */
  readonly generatedSecrets: readonly GeneratedSecretName[]
}

/** An error for the operator. The program prints its message without a stack, and ends. */
export class OperatorError extends Error {}

/**
 * Whether a page on `host` may set a cookie for `domain`: the host is the domain or one of its subdomains.
 */
const isInDomain = (host: string, domain: string) => `.${host}`.endsWith(`.${domain.replace(/^\./, '')}`)

/** Returns a warning for each environment variable that looks like a setting but is none. */
export const listWarnings = () => unknownSettings(process.env)
export const hasBackupFolder = () => Boolean(process.env.BACKUP_DIR)
/** Returns DATABASE_URL, or the content of its file, also if other settings are wrong. */
export const findDatabaseUrl = () => readSecret(process.env, 'DATABASE_URL').value

type Environment = Readonly<Record<string, string | undefined>>
/**
 * Reads the settings from the environment variables and the files that `NAME_FILE` variables name, without
 * the secrets in the files of DATA_DIR. For a bad value it throws an OperatorError that names the variable
 * and its valid values.
 */
export function readEnvironment(env: Environment = process.env): EnvironmentSettings {
  const settings: Record<string, unknown> = {}
  for (const [name, { takes, schema, standard, isSecret }] of Object.entries<VariableDefinition>(variables)) {
    const { value, source, fault }: SettingValue = isSecret
      ? readSecret(env, name)
      : { value: env[name]?.trim(), source: name }
    if (fault) throw new OperatorError(fault)
    const given = v.safeParse(schema, value || standard)
    if (!given.success) throw new OperatorError(`${source} takes ${takes}.${adviseEncoding(value ?? '')}`)
    settings[name] = given.output
  }
  const { REDIS_URL, DATABASE_URL, COOKIE_DOMAIN, PUBLIC_URL, MEDIA_URL } = settings as EnvironmentSettings
  const isPart = !PUBLIC_URL || !COOKIE_DOMAIN || isInDomain(new URL(PUBLIC_URL).hostname, COOKIE_DOMAIN)
  if (!isPart) throw new OperatorError(`COOKIE_DOMAIN takes ${variables.COOKIE_DOMAIN.takes}.`)
  if (REDIS_URL && !DATABASE_URL)
    throw new OperatorError('REDIS_URL joins processes that share a database: it needs DATABASE_URL.')
  const keyParts = [settings.AWS_ACCESS_KEY_ID, settings.AWS_SECRET_ACCESS_KEY].filter(Boolean)
  if (MEDIA_URL && keyParts.length === 1)
    throw new OperatorError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: set both or none.')
  return settings as EnvironmentSettings
}

/** Says how signs in the password of an address are written, if the text looks like such an address. */
const adviseEncoding = (given: string) =>
  /^[a-z]+:\/\//i.test(given) && given.includes('@', given.indexOf(':', given.indexOf('//')))
    ? ' In its password, write signs other than letters and digits percent-encoded: # is %23, % is %25, / is %2F, ? is %3F, @ is %40.'
    : ''

/**
 * Reads the settings and the secrets in DATA_DIR. Creates DATA_DIR and those secrets that are missing. For
 * a bad value it throws an OperatorError that names the variable and its valid values. Calls
 * `checkDataFolder` with DATA_DIR before it creates anything; if that throws, nothing is created.
 */
export function readConfig(
  env: Environment = process.env,
  checkDataFolder: (folder: string) => void = () => {},
): Config {
  const settings = readEnvironment(env)
  checkDataFolder(settings.DATA_DIR)
  const { DATA_DIR, PUSHER_APP_SECRET, SECRET, SETUP_CODE, AUDIT_LOG_KEY, BACKUP_AT, BACKUP_DIR, ...rest } =
    settings
  const secretNames = ['SECRET', 'PUSHER_APP_SECRET', 'SETUP_CODE'] as const
  return Object.freeze({
    ...rest,
    DATA_DIR,
    BACKUP_AT: BACKUP_AT === 'off' ? null : BACKUP_AT,
    BACKUP_DIR: BACKUP_DIR ?? join(DATA_DIR, 'backups'),
    SECRET: SECRET === undefined ? readOrCreateSecret(DATA_DIR, 'secret') : Buffer.from(SECRET),
    generatedSecrets: [
      ...secretNames.filter((name) => settings[name] === undefined),
      'PUSH_KEY',
      ...(isAuditLogKeyInFile(settings) ? (['AUDIT_LOG_KEY'] as const) : []),
    ] as const,
    AUDIT_LOG_KEY: readOrCreateAuditLogKey(settings),
    PUSHER_APP_SECRET: PUSHER_APP_SECRET ?? readOrCreateSecret(DATA_DIR, 'pusher-secret').toString('hex'),
    PUSH_KEY: readOrCreateSecret(DATA_DIR, 'push-key').toString('hex'),
    SETUP_CODE: SETUP_CODE ?? readOrCreateSecret(DATA_DIR, 'setup-code').toString('base64url'),
  })
}

/** The name of the file in DATA_DIR, and in a backup, with the key of the audit log. */
export const LOG_KEY_FILE = 'audit-log-key'

/**
 * Whether the key of the audit log is in a file. A file goes before SECRET, so that a community that sets
 * SECRET later keeps its key.
 */
const isAuditLogKeyInFile = ({ AUDIT_LOG_KEY, SECRET, DATA_DIR }: EnvironmentSettings) =>
  AUDIT_LOG_KEY === undefined && (SECRET === undefined || existsSync(join(DATA_DIR, LOG_KEY_FILE)))

function readOrCreateAuditLogKey(settings: EnvironmentSettings): Buffer {
  const { AUDIT_LOG_KEY, SECRET, DATA_DIR } = settings
  if (isAuditLogKeyInFile(settings)) return readOrCreateSecret(DATA_DIR, LOG_KEY_FILE)
  return AUDIT_LOG_KEY === undefined
    ? Buffer.from(hkdfSync('sha256', SECRET!, '', 'engawa key of the audit log', 32))
    : Buffer.from(AUDIT_LOG_KEY)
}

/** Reads 32 random bytes from the file `name` in `folder`, and creates the file if it is missing. */
function readOrCreateSecret(folder: string, name: string): Buffer {
  const file = join(folder, name)
  try {
    makeFolder(folder)
    if (!existsSync(file)) {
      // Writes the secret to another file first and links it, because two processes may create it at the same
      // time. The secret of the first one stays, and the link of the second one fails with EEXIST.
      const own = `${file}.${randomBytes(8).toString('hex')}`
      writeFileSync(own, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
      try {
        linkSync(own, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        rmSync(own)
      }
    }
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR takes a folder that can be written to (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (secret.length !== 32)
    throw new OperatorError(
      `DATA_DIR holds a broken file named ${name}: restore it, or remove it (what it signed, such as the links of mails under way, then stops working).`,
    )
  return secret
}

/** Returns the environment variables for a child process that uses the same DATA_DIR and BACKUP_DIR. */
export const childEnvironment = ({ DATA_DIR, BACKUP_DIR }: Config) => ({
  ...process.env,
  DATA_DIR,
  BACKUP_DIR,
})
