import { expect, test } from 'vitest'
import { variables } from './settings.ts'
import { unknownSettings } from './unknown.ts'

const warn = (name: string) => unknownSettings({ [name]: 'hunter22' })

test.each([
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['public_url', 'PUBLIC_URL'],
  ['ENGAWA_PORT', 'PORT'],
  ['POTR', 'PORT'],
  ['BACKUPAT', 'BACKUP_AT'],
  ['MAIL_SENDER', 'MAIL_FROM'],
  ['BACKUP_FOLDER', 'BACKUP_AT or BACKUP_DIR or BACKUP_KEEP'],
])('%s is named, with %s', (name, says) => {
  expect(warn(name)).toEqual([expect.stringContaining(says)])
  expect(warn(name)[0]).not.toContain('hunter22')
})

test.each([
  ['PORT_FILE', 'PORT'],
  ['PUBLIC_URL_FILE', 'PUBLIC_URL'],
  ['MAIL_FROM_FILE', 'MAIL_FROM'],
  ['ENGAWA_DATA_DIR_FILE', 'DATA_DIR'],
  ['port_file', 'PORT'],
])('%s is named, because only secrets can stand in files', (name, setting) => {
  expect(warn(name)).toEqual([
    `${name} has no effect, because only secrets can stand in files. Set ${setting} itself.`,
  ])
})

test('settings and the variables of other programs are not named', () => {
  const others = [
    'HOME',
    'PATH',
    'HOSTNAME',
    'PWD',
    'MAIL',
    'LANG',
    'NODE_ENV',
    'NODE_OPTIONS',
    'TERM',
    'USER',
  ]
  const more = [
    'AWS_ACCESS_KEY_ID',
    'REDIS_PORT',
    'DATABASE_PORT_5432_TCP',
    'PORTAGE',
    'HTTP_PROXY',
    'npm_config_port',
  ]
  const files = ['SECRET_FILE', 'DATABASE_URL_FILE', 'LOG_FILE', 'SSL_CERT_FILE']
  for (const name of [...Object.keys(variables), ...files, ...others, ...more])
    expect(warn(name), name).toEqual([])
})
