import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65535))
const address = (schemes: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check((given) => schemes.includes(URL.parse(given)?.protocol ?? '')),
  )
const origin = v.pipe(
  address(['http:', 'https:']),
  v.check((given) => URL.parse(given)?.href === `${URL.parse(given)?.origin}/`),
  v.transform((given) => URL.parse(given)?.origin ?? ''),
)
const onOff = v.pipe(
  v.picklist(['on', 'off']),
  v.transform((given) => given === 'on'),
)
const word = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
const list = v.pipe(
  v.string(),
  v.transform((given) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)
/** An address, a network such as 10.0.0.0/8, or one of the names that Fastify knows. */
function isProxy(given: string) {
  const [address = '', bits, ...rest] = given.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(given)) return true
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    rest.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  )
}

const addresses = (schemes: readonly string[]) => v.pipe(list, v.minLength(1), v.array(address(schemes)))
/**
 * Accepts a bucket, folders in it, its endpoint and its region. Refuses any other part: it is misspelt, or
 * a secret.
 */
function isBucket(given: string) {
  const url = URL.parse(given)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return false
  const { endpoint, region, ...rest } = Object.fromEntries(url.searchParams)
  const named =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) && /^(\/[\w.-]+)*\/?$/.test(url.pathname)
  const placed = endpoint === undefined || ['http:', 'https:'].includes(URL.parse(endpoint)?.protocol ?? '')
  return named && placed && (region === undefined || v.is(word, region)) && Object.keys(rest).length === 0
}
const hour = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Each variable: what it takes (for the one line that refuses a bad one), its schema, its default. */
const variables = {
  PORT: ['a port from 0 to 65535', port, '3000'],
  HOST: ['an address to listen on, such as 127.0.0.1 or 0.0.0.0', v.string(), '127.0.0.1'],
  PUBLIC_URL: [
    'the address that people use, without a path, such as https://town.example',
    v.optional(origin),
    undefined,
  ],
  APP_NAME: [
    'a name of 1 to 60 characters',
    v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
    'Engawa',
  ],
  DATA_DIR: ['a folder', v.pipe(v.string(), v.transform(resolve)), './data'],
  DATABASE_URL: [
    'postgres://user:password@host:port/database',
    v.optional(address(['postgres:', 'postgresql:'])),
    undefined,
  ],
  REDIS_URL: [
    'redis://user:password@host:port (or rediss://…), several nodes of a cluster separated by commas',
    v.optional(addresses(['redis:', 'rediss:'])),
    undefined,
  ],
  MEDIA_URL: [
    's3://bucket/prefix?endpoint=https://…&region=…',
    v.optional(v.pipe(v.string(), v.check(isBucket))),
    undefined,
  ],
  AWS_REGION: ['a region such as eu-central-1', v.optional(word), undefined],
  BACKUP_AT: ['off, or a time of day such as 03:30', v.union([v.literal('off'), hour]), 'off'],
  BACKUP_DIR: ['a folder', v.optional(v.pipe(v.string(), v.transform(resolve))), undefined],
  BACKUP_KEEP: [
    'a number from 1 to 9999',
    v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number)),
    '7',
  ],
  SMTP_URL: [
    'smtp://user:password@host:port or smtps://…',
    v.optional(address(['smtp:', 'smtps:'])),
    undefined,
  ],
  MAIL_FROM: [
    'an e-mail address, also as Name <address>',
    v.pipe(v.string(), v.regex(/^[^@\r\n]+@[^@\s]+$/)),
    'engawa@localhost',
  ],
  ADMIN_EMAIL: [
    'e-mail addresses, separated by commas',
    v.pipe(list, v.array(v.pipe(v.string(), v.toLowerCase(), v.email()))),
    '',
  ],
  ALLOWED_ORIGINS: [
    'origins such as https://app.example, separated by commas',
    v.pipe(list, v.array(origin)),
    '',
  ],
  TRUST_PROXY: [
    'off, or the addresses of proxies (such as 127.0.0.1 or 10.0.0.0/8), separated by commas',
    v.pipe(
      list,
      v.transform((given) => (given.length === 1 && given[0] === 'off' ? [] : given)),
      v.array(v.pipe(v.string(), v.check(isProxy))),
    ),
    'off',
  ],
  PUSHER_APP_ID: ['letters, digits, - and _', word, 'engawa'],
  PUSHER_APP_KEY: ['letters, digits, - and _', word, 'engawa'],
  PUSHER_APP_SECRET: [
    'a secret of at least 16 characters',
    v.optional(v.pipe(v.string(), v.minLength(16))),
    undefined,
  ],
  COOKIE_DOMAIN: [
    'a domain that PUBLIC_URL is part of, such as town.example',
    v.optional(v.pipe(v.string(), v.toLowerCase(), v.regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/))),
    undefined,
  ],
  SETUP_CODE: [
    'a code of at least 8 letters, digits, - and _',
    v.optional(v.pipe(word, v.minLength(8))),
    undefined,
  ],
  WEBHOOK_URL: [
    'an address such as https://app.example/webhooks',
    v.optional(address(['http:', 'https:'])),
    undefined,
  ],
  RATE_LIMIT: ['on or off', onOff, 'on'],
  DEMO: ['on or off', onOff, 'on'],
  SEARCH_ENGINES: ['on or off', onOff, 'on'],
  METRICS_TOKEN: [
    'a secret of at least 16 characters',
    v.optional(v.pipe(v.string(), v.minLength(16))),
    undefined,
  ],
  SECRET: ['a secret of at least 32 characters', v.optional(v.pipe(v.string(), v.minLength(32))), undefined],
  LOG_LEVEL: [
    'trace, debug, info, warn, error, fatal or silent',
    v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
  ],
} as const satisfies Record<string, readonly [string, v.GenericSchema, string | undefined]>

type Settings = { readonly [K in keyof typeof variables]: v.InferOutput<(typeof variables)[K][1]> }
type Kept = 'SECRET' | 'PUSHER_APP_SECRET' | 'SETUP_CODE'
export interface Config extends Omit<Settings, Kept | 'BACKUP_AT' | 'BACKUP_DIR'> {
  /** When backups are made by themselves, in the time of this machine; null where they are not. */
  readonly BACKUP_AT: string | null
  /** In DATA_DIR where it is not set. */
  readonly BACKUP_DIR: string
  /** Signs anti-forgery tokens and links; random and kept in DATA_DIR where it is not set. */
  readonly SECRET: Buffer
  /** Signs subscriptions and the calls of other servers; random and kept in DATA_DIR where it is not set. */
  readonly PUSHER_APP_SECRET: string
  /** Makes an account the first admin; random and kept in DATA_DIR where it is not set. */
  readonly SETUP_CODE: string
  /** Names of the secrets that DATA_DIR holds because no variable sets them. */
  readonly ownSecrets: readonly Kept[]
}

/** Refuses the start with a sentence for the operator. It is printed without a stack. */
export class BadSetting extends Error {}

/** Whether a browser takes a cookie for the domain from the host. */
const isInDomain = (host: string, domain: string) => `.${host}`.endsWith(`.${domain.replace(/^\./, '')}`)

type Environment = Readonly<Record<string, string | undefined>>
/**
 * Reads the settings, without touching the disk. Throws BadSetting with the variable and the values that it
 * takes.
 */
export function readSettings(env: Environment = process.env): Settings {
  const settings: Record<string, unknown> = {}
  for (const [name, [takes, schema, standard]] of Object.entries(variables)) {
    const given = v.safeParse(schema, env[name]?.trim() || standard)
    if (!given.success) throw new BadSetting(`${name} takes ${takes}.`)
    settings[name] = given.output
  }
  const { REDIS_URL, DATABASE_URL, COOKIE_DOMAIN, PUBLIC_URL } = settings as Settings
  const isPart = !PUBLIC_URL || !COOKIE_DOMAIN || isInDomain(new URL(PUBLIC_URL).hostname, COOKIE_DOMAIN)
  if (!isPart) throw new BadSetting(`COOKIE_DOMAIN takes ${variables.COOKIE_DOMAIN[0]}.`)
  if (REDIS_URL && !DATABASE_URL)
    throw new BadSetting('REDIS_URL joins processes that share a database: it needs DATABASE_URL.')
  return settings as Settings
}

/**
 * Reads the settings, and creates DATA_DIR and its secrets. Throws BadSetting with the variable and the
 * values that it takes.
 */
export function readConfig(env: Environment = process.env): Config {
  const settings = readSettings(env)
  const { DATA_DIR, PUSHER_APP_SECRET, SECRET, SETUP_CODE, BACKUP_AT, BACKUP_DIR, ...rest } = settings
  const kept = ['SECRET', 'PUSHER_APP_SECRET', 'SETUP_CODE'] as const
  return Object.freeze({
    ...rest,
    DATA_DIR,
    BACKUP_AT: BACKUP_AT === 'off' ? null : BACKUP_AT,
    BACKUP_DIR: BACKUP_DIR ?? join(DATA_DIR, 'backups'),
    SECRET: SECRET === undefined ? keptSecret(DATA_DIR, 'secret') : Buffer.from(SECRET),
    ownSecrets: kept.filter((name) => settings[name] === undefined),
    PUSHER_APP_SECRET: PUSHER_APP_SECRET ?? keptSecret(DATA_DIR, 'pusher-secret').toString('hex'),
    SETUP_CODE: SETUP_CODE ?? keptSecret(DATA_DIR, 'setup-code').toString('base64url'),
  })
}

/** 32 random bytes that are made once and kept in a file of the folder. */
export function keptSecret(folder: string, name: string): Buffer {
  const file = join(folder, name)
  try {
    makeFolder(folder)
    if (!existsSync(file)) {
      // Two processes may do this at the same time: the first link wins.
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
    throw new BadSetting(
      `DATA_DIR takes a folder that can be written to (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (secret.length !== 32)
    throw new BadSetting(
      `DATA_DIR holds a broken file named ${name}: restore it, or remove it (what it signed, such as the links of mails under way, then stops working).`,
    )
  return secret
}

/**
 * Creates a folder and its parents. Node's own recursive mkdir never ends where the system always answers
 * ENOENT, as in /proc.
 */
function makeFolder(folder: string) {
  if (existsSync(folder)) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** The environment of a process of ours that takes care of the same community. */
export const sameEnvironment = ({ DATA_DIR, BACKUP_DIR }: Config) => ({
  ...process.env,
  DATA_DIR,
  BACKUP_DIR,
})
