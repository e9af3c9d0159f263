import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { temporaryFolder } from '#tests/databases.ts'

describe('the data folder', () => {
  const program = `import { lockDataFolder } from '#core/database/data-folder.ts'
    lockDataFolder(process.argv[1])
    console.log('held')
    process.stdin.resume().on('end', () => process.exit())`
  const args = (path: string) => ['--input-type=module', '--eval', program, path]
  const cwd = join(import.meta.dirname, '../..')

  test('has one lock holder; after a release, another process may lock it', () => {
    const path = temporaryFolder()
    const release = lockDataFolder(path)
    expect(() => lockDataFolder(path)).toThrow(OperatorError)
    const refused = spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })
    expect(refused.status).not.toBe(0)
    expect(refused.stderr).toMatch(/DATA_DIR is in use/)
    release()
    expect(spawnSync(process.execPath, args(path), { cwd, input: '', encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'held\n',
    })
  })

  test('is unlocked after its lock holder was killed', async () => {
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
