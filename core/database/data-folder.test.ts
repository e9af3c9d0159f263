import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BadSetting } from '#core/config.ts'
import { lockDataFolder, snapshot } from '#core/database/data-folder.ts'
import { temporaryFolder } from '#tests/databases.ts'

describe('a snapshot', () => {
  /** A database with some pages of rows; open, as beside a running server. */
  function filled(path: string) {
    const db = new DatabaseSync(path)
    db.exec(
      'pragma journal_mode = wal; create table birds (id integer primary key, name text); create index names on birds (name)',
    )
    db.exec(
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000) insert into birds (name) select hex(randomblob(40)) from n',
    )
    return db
  }

  test('holds all that is committed while others write', async () => {
    const [file, copy] = [join(temporaryFolder(), 'a.db'), join(temporaryFolder(), 'b.db')]
    const db = filled(file)
    await snapshot(file, copy)
    db.exec(`insert into birds (name) values ('after')`)
    db.close()
    const kept = new DatabaseSync(copy, { readOnly: true })
    expect(kept.prepare('select count(*) as n, max(name) as last from birds').get()).toMatchObject({
      n: 2000,
      last: expect.not.stringContaining('after'),
    })
    kept.close()
  })

  test('of a damaged database is refused', async () => {
    const [file, damaged] = [join(temporaryFolder(), 'a.db'), join(temporaryFolder(), 'damaged.db')]
    filled(file).close()
    copyFileSync(file, damaged)
    await snapshot(damaged, join(temporaryFolder(), 'b.db'))
    const handle = openSync(damaged, 'r+')
    writeSync(handle, Buffer.alloc(4096, 0x55), 0, 4096, 4096 * 5)
    closeSync(handle)
    await expect(snapshot(damaged, join(temporaryFolder(), 'c.db'))).rejects.toThrow()
  })

  test('of a database that is not there is refused', async () => {
    await expect(
      snapshot(join(temporaryFolder(), 'none.db'), join(temporaryFolder(), 'b.db')),
    ).rejects.toThrow()
  })
})

describe('the folder', () => {
  const program = `import { lockDataFolder } from '#core/database/data-folder.ts'
    lockDataFolder(process.argv[1])
    console.log('held')
    process.stdin.resume().on('end', () => process.exit())`
  const args = (path: string) => ['--input-type=module', '--eval', program, path]
  const cwd = join(import.meta.dirname, '../..')

  test('has one holder; given up, it may have another', () => {
    const path = temporaryFolder()
    const release = lockDataFolder(path)
    expect(() => lockDataFolder(path)).toThrow(BadSetting)
    const refused = spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).toMatch(/DATA_DIR is in use/)
    release()
    expect(spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'held\n',
    })
  })

  test('is free again when its holder was killed', async () => {
    const path = temporaryFolder()
    const holder = spawn(process.execPath, args(path), { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    expect(() => lockDataFolder(path)).toThrow(/DATA_DIR is in use/)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    lockDataFolder(path)()
  })
})
