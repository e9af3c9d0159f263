import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  backupPath,
  expectPosts,
  fileNamesIn,
  finishedBackups,
  killAndWait,
  newCommunity,
  replaceWithPipe,
  runEngawa,
  spawnEngawa,
  stoppedCommunity,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { failedStart, serverFolder } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

describe('after a kill', () => {
  test('of a backup, no complete backup is left, and the next backup is complete', async () => {
    const { env, ana, ids } = await stoppedCommunity()
    const out = await serverFolder()
    const media = join(env.DATA_DIR, 'media')
    const held = await replaceWithPipe(join(media, (await fileNamesIn(media))[1]!))
    const { child, done } = spawnEngawa(env, 'backup', out)
    const unfinished = async () =>
      (await fileNamesIn(out)).find((name) => name.startsWith('.unfinished-')) ?? 'none'
    await waitUntilTrue(async () => (await fileNamesIn(join(out, await unfinished(), 'media'))).length > 0)
    await killAndWait(child, done)
    expect(await finishedBackups(out)).toEqual([])
    await held.giveBack()
    const backup = backupPath(await runEngawa(env, 'backup', out))
    expect(await fileNamesIn(out)).toEqual([backup.slice(out.length + 1), 'lock'])
    const elsewhere = await newCommunity('sqlite')
    await runEngawa(elsewhere, 'restore', backup)
    await expectPosts(elsewhere, ana, ids)
  })

  test('of a restore, the restore can be run again, and no server starts on the incomplete folder', async () => {
    const { env, ana, ids } = await stoppedCommunity()
    const backup = backupPath(await runEngawa(env, 'backup', await serverFolder()))
    const held = await replaceWithPipe(join(backup, 'media', (await fileNamesIn(join(backup, 'media')))[1]!))
    const elsewhere = await newCommunity('sqlite')
    const { child, done } = spawnEngawa(elsewhere, 'restore', backup)
    await held.once()
    await waitUntilTrue(() => existsSync(join(elsewhere.DATA_DIR, 'restoring')))
    await killAndWait(child, done)
    await held.giveBack()
    const refusal = await failedStart(elsewhere)
    expect(refusal.code).toBe(1)
    expect(refusal.output).toMatch(/engawa restore/)
    expect((await readdir(elsewhere.DATA_DIR)).filter((name) => /secret|key|code/.test(name))).toEqual([])
    await runEngawa(elsewhere, 'restore', backup)
    await expectPosts(elsewhere, ana, ids)
  })

  test('of a restore that was moving files into place, the next restore continues there', async () => {
    const { env, ana, ids } = await stoppedCommunity()
    const backup = backupPath(await runEngawa(env, 'backup', await serverFolder()))
    const elsewhere = await newCommunity('sqlite')
    await runEngawa(elsewhere, 'restore', backup)
    const stage = join(elsewhere.DATA_DIR, 'restoring')
    await mkdir(stage)
    for (const name of ['engawa.db', 'secret'])
      await rename(join(elsewhere.DATA_DIR, name), join(stage, name))
    await writeFile(
      join(stage, 'ready'),
      JSON.stringify({ place: backup, aside: join(elsewhere.DATA_DIR, 'before-restore-x') }),
    )
    await failedStart(elsewhere).then(({ code }) => expect(code).toBe(1))
    await runEngawa(elsewhere, 'restore', backup)
    expect(existsSync(stage)).toBe(false)
    await expectPosts(elsewhere, ana, ids)
  })
})
