import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OperatorError, readConfig } from '#core/config.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('variables that are not set have their defaults', () => {
  const config = readConfig({ DATA_DIR: folder() })
  expect(config).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    APP_NAME: 'Engawa',
    MAIL_FROM: 'engawa@localhost',
    ADMIN_EMAIL: [],
    ALLOWED_ORIGINS: [],
    TRUST_PROXY: [],
    RATE_LIMIT: true,
    LOG_LEVEL: 'info',
    DEMO: true,
    SEARCH_ENGINES: true,
    PUSHER_APP_ID: 'engawa',
    PUSHER_APP_KEY: 'engawa',
  })
  for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SMTP_URL'] as const)
    expect(config[name], name).toBeUndefined()
  expect(Object.isFrozen(config)).toBe(true)
})

test.each<[name: string, good: Record<string, unknown>, bad: string[]]>([
  [
    'PORT',
    { '0': 0, ' 8080 ': 8080, '65535': 65535, '': 3000 },
    ['65536', '70000', '-1', '3000.5', 'http', '0x50'],
  ],
  [
    'PUBLIC_URL',
    {
      'https://town.example': 'https://town.example',
      'http://localhost:3000/': 'http://localhost:3000',
      'HTTPS://Town.Example': 'https://town.example',
    },
    [
      'town.example',
      'ftp://town.example',
      'https://town.example/path',
      'https://town.example/?x=1',
      'javascript:alert(1)',
      'https://',
    ],
  ],
  ['APP_NAME', { ' 縁側 ': '縁側' }, ['x'.repeat(61)]],
  [
    'DATABASE_URL',
    { 'postgres://u:p@db/x': 'postgres://u:p@db/x', 'postgresql://db/x': 'postgresql://db/x' },
    ['mysql://db/x', 'engawa.db'],
  ],
  [
    'BACKUP_AT',
    { '03:30': '03:30', '23:59': '23:59', off: null, '': null },
    ['3:30', '24:00', '12:60', '0330', 'night'],
  ],
  ['BACKUP_KEEP', { '1': 1, '30': 30, '': 7 }, ['0', '-1', '1.5', '10000', 'all']],
  [
    'MEDIA_URL',
    Object.fromEntries(
      [
        's3://town',
        's3://town.pictures/engawa/2026/?region=eu-central-1',
        's3://town?endpoint=http://127.0.0.1:9000&region=garage',
      ].map((url) => [url, url]),
    ),
    [
      'town',
      'https://town',
      's3://',
      's3://T',
      's3://key:secret@town',
      's3://town/a//b',
      's3://town/a b',
      's3://town?endpoint=minio:9000',
      's3://town?endpoint=',
      's3://town?endpiont=http://minio',
      's3://town?region=',
    ],
  ],
  ['AWS_REGION', { 'eu-central-1': 'eu-central-1' }, ['eu central']],
  [
    'SMTP_URL',
    { 'smtp://localhost:25': 'smtp://localhost:25', 'smtps://u:p@mail.example': 'smtps://u:p@mail.example' },
    ['mail.example', 'http://mail.example', 'http://someone:hunter22@mail.example'],
  ],
  [
    'MAIL_FROM',
    {
      'a@b.example': 'a@b.example',
      'Town <a@b.example>': 'Town <a@b.example>',
      'Town [north] (a) <a@b.example>': 'Town [north] (a) <a@b.example>',
    },
    [
      'nobody',
      'a@b.example\r\nbcc: x@y.example',
      'a <b',
      'a <b@c.example',
      'a b@c.example>',
      'a <b@c>x',
      '<>',
    ],
  ],
  [
    'ADMIN_EMAIL',
    { 'A@b.example, c@d.example,': ['a@b.example', 'c@d.example'] },
    ['ann', 'nobody', 'a@b.example; c@d.example'],
  ],
  [
    'ALLOWED_ORIGINS',
    { 'https://app.example/, http://localhost:5173': ['https://app.example', 'http://localhost:5173'] },
    ['*', 'https://app.example/x', 'null'],
  ],
  [
    'TRUST_PROXY',
    {
      off: [],
      '127.0.0.1, 10.0.0.0/8,::1': ['127.0.0.1', '10.0.0.0/8', '::1'],
      loopback: ['loopback'],
      '::ffff:10.0.0.0/104, ::ffff:a00:1': ['::ffff:10.0.0.0/104', '::ffff:a00:1'],
      '2001:db8::/32, 2001::/16': ['2001:db8::/32', '2001::/16'],
      'fd00::/8, fc00::/7, fe80::/10': ['fd00::/8', 'fc00::/7', 'fe80::/10'],
    },
    [
      'on',
      'everybody',
      'proxy.example',
      '*',
      '999.1.1.1',
      '10.0.0.0/99',
      '10.0.0.1, off',
      '0.0.0.0/0',
      '::/0',
      '0.0.0.0/1,128.0.0.0/1',
      '127.0.0.1, 64.0.0.0/7',
      '::/1',
      'fe80::1%eth-0/64',
      '2000::/3',
      '2001::/15',
      'fc00::/6',
      'fe80::/9',
      '::ffff:0.0.0.0/96',
      '::ffff:0:0/96',
      '::ffff:0:0/80',
      '::ffff:10.0.0.0/103',
      '0:0:0:0:0:ffff:8000:0/97',
      '10.0.0.1/08',
    ],
  ],
  ['RATE_LIMIT', { on: true, off: false }, ['no', 'maybe', '0', 'OFF!']],
  ['DEMO', { on: true, off: false }, ['yes', '1']],
  ['SEARCH_ENGINES', { on: true, off: false }, ['no', '0']],
  ['PUSHER_APP_ID', { town: 'town', '1234': '1234' }, ['a b', 'a/b', 'x'.repeat(65)]],
  ['PUSHER_APP_KEY', { 'a-b_c': 'a-b_c' }, ['a:b', '縁側']],
  ['PUSHER_APP_SECRET', { 'a secret of some length': 'a secret of some length' }, ['short']],
  [
    'COOKIE_DOMAIN',
    { 'Town.example': 'town.example', '.town.example': '.town.example' },
    ['example', 'https://town.example', 'town.example:80', '10.0.0.1/8'],
  ],
  ['SETUP_CODE', { 'open-sesame': 'open-sesame' }, ['short', 'open sesame', 'öffne-dich']],
  ['LOG_LEVEL', { debug: 'debug', silent: 'silent' }, ['verbose', 'loud']],
])(
  '%s accepts valid values; a bad value is refused with one line that names the variable',
  (name, good, bad) => {
    const DATA_DIR = folder()
    for (const [given, known] of Object.entries(good))
      expect(readConfig({ DATA_DIR, [name]: given })).toMatchObject({ [name]: known })
    for (const given of bad) {
      const refusal = refusalOf({ DATA_DIR, [name]: given })
      expect(refusal, given).toMatch(new RegExp(`^${name} takes .+\\.$`))
      expect(refusal).not.toContain('\n')
      expect(refusal, 'a password').not.toContain('hunter22')
    }
  },
)

test('REDIS_URL is refused without DATABASE_URL', () => {
  expect(refusalOf({ DATA_DIR: folder(), REDIS_URL: 'redis://localhost' })).toMatch(/^REDIS_URL joins /)
})

test('the secret is created once, is readable only by its owner, and does not change', () => {
  const DATA_DIR = join(folder(), 'new', 'data')
  const { SECRET } = readConfig({ DATA_DIR })
  expect(SECRET).toHaveLength(32)
  expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600)
  expect(statSync(DATA_DIR).mode & 0o077).toBe(0)
  expect(readConfig({ DATA_DIR }).SECRET).toEqual(SECRET)
  const { PUSHER_APP_SECRET } = readConfig({ DATA_DIR })
  expect(PUSHER_APP_SECRET).toMatch(/^[0-9a-f]{64}$/)
  expect(readConfig({ DATA_DIR }).PUSHER_APP_SECRET).toBe(PUSHER_APP_SECRET)
  expect(PUSHER_APP_SECRET).not.toBe(SECRET.toString('hex'))
  expect(readConfig({ DATA_DIR: folder() }).SECRET).not.toEqual(SECRET)
})

test('an unusable folder and an invalid secret file stop the start', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  for (const DATA_DIR of [file, join(file, 'data')]) expect(refusalOf({ DATA_DIR })).toMatch(/^DATA_DIR /)
  const DATA_DIR = folder()
  for (const broken of ['', 'abc', 'x'.repeat(64)]) {
    writeFileSync(join(DATA_DIR, 'secret'), broken)
    expect(refusalOf({ DATA_DIR })).toMatch(/^DATA_DIR /)
  }
})

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError)
    return (error as Error).message
  }
  throw new Error(`accepted ${JSON.stringify(env)}`)
}
