import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { allMigrations } from '#app.ts'
import { type BackupSource, makeBackup } from '#core/backup/backup.ts'
import { moveToPostgres } from '#core/backup/move.ts'
import { restoreBackup } from '#core/backup/restore.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { readRows } from '#tests/harness.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A MediaStorage that keeps the files in memory. The tests use it in place of an S3 bucket. */
function memory(files = new Map<string, Buffer>()) {
  const store: MediaStorage = {
    folder: null,
    writeFile: async () => undefined,
    write: async (name, bytes) => void files.set(name, bytes),
    remove: async (name) => void files.delete(name),
    read: async (name) => files.get(name) ?? null,
    has: async (name) => files.has(name),
    async *list() {
      for (const [name, { length }] of files) yield { name, bytes: length }
    },
    check: async () => {},
  }
  return { files, store }
}

async function database(file: string) {
  const opened = openSqlite(file)
  onTestFinished(opened.close)
  await runMigrations(opened.db, allMigrations)
  return opened.db
}

async function community(pictures: readonly string[]) {
  const dataFolder = folder()
  const db = await database(join(dataFolder, 'engawa.db'))
  const { files, store } = memory()
  for (const name of pictures) {
    await addPicture(db, name)
    files.set(`${name}-32.webp`, Buffer.from(`picture ${name}`))
  }
  writeFileSync(join(dataFolder, 'secret'), 'a'.repeat(64))
  const origin: BackupSource = {
    database: { file: join(dataFolder, 'engawa.db') },
    storage: store,
    secrets: { secret: 'a'.repeat(64) },
    migrations: allMigrations,
    version: '1.2.3',
  }
  return { dataFolder, db, files, store, origin }
}

const addPicture = (db: Db, name: string) =>
  transaction(db, (tx) =>
    tx
      .insertInto('media')
      .values({
        name,
        widths: '32',
        width: 32,
        height: 32,
        placeholder: '',
        animated: 0,
        bytes: 9,
        created_at: isoNow(),
      })
      .execute(),
  )

test('a backup has neither the files nor the row of a picture that was deleted while the backup read it', async () => {
  const { db, files, store, origin } = await community(['a', 'c'])
  const reading: MediaStorage = {
    ...store,
    async read(name) {
      // Changes the media while the tested backup reads them: adds picture b when a is read, deletes b when b
      // is read.
      if (name.startsWith('a')) {
        await addPicture(db, 'b')
        files.set('b-32.webp', Buffer.from('passing'))
      }
      if (name.startsWith('b')) {
        await transaction(db, (tx) => tx.deleteFrom('media').where('name', '=', 'b').execute())
        files.delete(name)
      }
      return store.read(name)
    },
  }
  const { path, missing } = await makeBackup({ ...origin, storage: reading }, folder())
  expect(missing).toEqual([])
  expect(readdirSync(join(path, 'media'))).toEqual(['a-32.webp', 'c-32.webp'])
  const copy = openSqlite(join(path, 'engawa.db'))
  onTestFinished(copy.close)
  expect((await readRows(copy.db, 'media')).map(({ name }) => name)).toEqual(['a', 'c'])
})

test('a missing picture is reported, and the other pictures are saved; the previous backup supplies a file that the storage has lost', async () => {
  const { files, origin } = await community(['a', 'b'])
  const out = folder()
  await makeBackup(origin, out)
  files.delete('b-32.webp')
  const second = await makeBackup(origin, out)
  expect(second).toMatchObject({ missing: [], lost: ['b-32.webp'] })
  expect(readFileSync(join(second.path, 'media', 'b-32.webp'), 'utf8')).toBe('picture b')
  const elsewhere = await makeBackup(origin, folder())
  expect(elsewhere.missing).toEqual(['b-32.webp'])
  expect(elsewhere.files).toBe(1)
})

test('only one backup runs in a folder at a time; a failed backup leaves only the lock file', async () => {
  const { origin, store } = await community(['a'])
  const out = folder()
  const second = { ...origin, storage: { ...store, read: () => makeBackup(origin, out).then(() => null) } }
  await expect(makeBackup(second, out)).rejects.toThrow(/being made/)
  expect(readdirSync(out)).toEqual(['lock'])
})

test('an interrupted move of pictures continues where it stopped, and copies no file twice', async () => {
  const { dataFolder, db, store } = await community(['a', 'b', 'c', 'd'])
  const target = await database(join(folder(), 'target.db'))
  const { files, store: bucket } = memory()
  const written: string[] = []
  const narrow: MediaStorage = {
    ...bucket,
    async write(name, bytes) {
      if (written.length === 2) throw new Error('the line is cut')
      written.push(name)
      await bucket.write(name, bytes)
    },
  }
  await expect(
    moveToPostgres(dataFolder, target, allMigrations, { from: store, to: narrow }),
  ).rejects.toThrow('the line is cut')
  expect(await readRows(target, 'media'), 'the rows come when their pictures are there').toEqual([])
  expect(await moveToPostgres(dataFolder, target, allMigrations, { from: store, to: bucket })).toMatchObject({
    copied: 2,
    alreadyCopied: 2,
    missing: [],
  })
  expect([...files.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}-32.webp`))
  expect(await readRows(target, 'media')).toEqual(await readRows(db, 'media'))
  expect(await moveToPostgres(dataFolder, target, allMigrations, { from: store, to: bucket })).toMatchObject({
    copied: 0,
    alreadyCopied: 4,
  })
})

test('a restore refuses a bucket or a database that holds another community, unless it may overwrite', async () => {
  const { origin } = await community(['a', 'b'])
  const { path } = await makeBackup(origin, folder())
  const { files, store } = memory(new Map([['z-32.webp', Buffer.from('of others')]]))
  const home = { folder: folder(), db: await database(join(folder(), 'target.db')), storage: store }
  await expect(restoreBackup(path, home, allMigrations, false)).rejects.toThrow(
    /MEDIA_URL holds other pictures/,
  )
  files.clear()
  await addPicture(home.db, 'z')
  await expect(restoreBackup(path, home, allMigrations, false)).rejects.toThrow(
    /DATABASE_URL holds a community/,
  )
  expect(readdirSync(home.folder)).toEqual(['lock'])
  const { aside } = await restoreBackup(path, home, allMigrations, true)
  expect([...files.keys()].toSorted()).toEqual(['a-32.webp', 'b-32.webp'])
  expect((await readRows(home.db, 'media')).map(({ name }) => name)).toEqual(['a', 'b'])
  expect(readdirSync(home.folder).toSorted()).toEqual([
    'audit-log-witness',
    aside!.slice(home.folder.length + 1),
    'lock',
    'secret',
  ])
})
