import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { operatorError } from './operator-errors.ts'

const url = 'postgres://ann:hunter22@db/town'
const describeCode = (code: string, message = '', more = {}) =>
  operatorError(Object.assign(new Error(message), { code, ...more }), url)

test.each([
  ['28P01', '', 'refuses ann'],
  ['28000', '', 'alter role "ann" login;'],
  ['3D000', '', 'create database "town" owner "ann"'],
  ['42501', 'permission denied for database "town"', 'grant connect, create on database "town" to "ann";'],
  ['42501', 'permission denied for schema public', 'grant usage, create on schema public to "ann";'],
  ['42501', 'must be owner of table users', 'reassign owned by "former owner" to "ann";'],
  ['25006', '', 'read-only'],
  ['42P01', 'relation "users" does not exist', 'restore a backup into a new database'],
])('PostgreSQL %s (%s) says what to do', (code, message, says) => {
  expect(describeCode(code, message)).toContain(says)
  expect(describeCode(code, message)).not.toContain('hunter22')
})

test('an error of the file system names the file and the reason', () => {
  expect(describeCode('EROFS', '', { path: '/data/x' })).toBe(
    '/data/x cannot be used: its disk is read-only (EROFS).',
  )
  expect(describeCode('EROFS')).toBeNull()
})

test('a database that cannot be written to is named as such', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'x.db')
  new DatabaseSync(file).close()
  const database = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => database.close())
  const errorOf = (work: () => void) => {
    try {
      work()
    } catch (error) {
      return operatorError(error, undefined)
    }
  }
  expect(errorOf(() => database.exec('create table x (y)'))).toContain('read-only')
  expect(errorOf(() => new DatabaseSync(join(folder, 'none', 'x.db')))).toContain('cannot be opened')
})

test('a fault of Engawa keeps its stack', () => {
  expect(operatorError(new TypeError('x is not a function'), url)).toBeNull()
  expect(operatorError('x', url)).toBeNull()
})
