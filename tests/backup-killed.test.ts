import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  createCommunityFolderAndEnv,
  createCommunityWithPosts,
  killChildAndWait,
  listFileNames,
  listFinishedBackups,
  parseBackupPathFromOutput,
  replaceFileWithPipe,
  runEngawaCommand,
  spawnEngawaCommand,
  startServerAndExpectPosts,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { createServerTemporaryFolder, expectStartFailure } from '#tests/server.ts'

// The time limit is long, because these tests start many processes, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe('after a kill', () => {
  test('of a backup, no complete backup is left, and the next backup is complete', async () => {
    const { env, ana, ids } = await createCommunityWithPosts()
    const out = await createServerTemporaryFolder()
    const media = join(env.DATA_DIR, 'media')
    const held = await replaceFileWithPipe(join(media, (await listFileNames(media))[1]!))
    const { child, done } = spawnEngawaCommand(env, 'backup', out)
    const unfinished = async () =>
      (await listFileNames(out)).find((name) => name.startsWith('.unfinished-')) ?? 'none'
    await waitUntilTrue(async () => (await listFileNames(join(out, await unfinished(), 'media'))).length > 0)
    await killChildAndWait(child, done)
    expect(await listFinishedBackups(out)).toEqual([])
    await held.giveBack()
    const backup = parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out))
    expect(await listFileNames(out)).toEqual([backup.slice(out.length + 1), 'lock'])
    const elsewhere = await createCommunityFolderAndEnv('sqlite')
    await runEngawaCommand(elsewhere, 'restore', backup)
    await startServerAndExpectPosts(elsewhere, ana, ids)
  })

  test('of a restore, the restore can be run again, and no server starts on the incomplete folder', async () => {
    const { env, ana, ids } = await createCommunityWithPosts()
    const backup = parseBackupPathFromOutput(
      await runEngawaCommand(env, 'backup', await createServerTemporaryFolder()),
    )
    const held = await replaceFileWithPipe(
      join(backup, 'media', (await listFileNames(join(backup, 'media')))[1]!),
    )
    const elsewhere = await createCommunityFolderAndEnv('sqlite')
    const { child, done } = spawnEngawaCommand(elsewhere, 'restore', backup)
    await held.once()
    await waitUntilTrue(() => existsSync(join(elsewhere.DATA_DIR, 'restoring')))
    await killChildAndWait(child, done)
    await held.giveBack()
    const refusal = await expectStartFailure(elsewhere)
    expect(refusal.code).toBe(1)
    expect(refusal.output).toMatch(/engawa restore/)
    expect((await readdir(elsewhere.DATA_DIR)).filter((name) => /secret|key|code/.test(name))).toEqual([])
    await runEngawaCommand(elsewhere, 'restore', backup)
    await startServerAndExpectPosts(elsewhere, ana, ids)
  })

  test('of a restore that was moving files into place, the next restore continues there', async () => {
    const { env, ana, ids } = await createCommunityWithPosts()
    const backup = parseBackupPathFromOutput(
      await runEngawaCommand(env, 'backup', await createServerTemporaryFolder()),
    )
    const elsewhere = await createCommunityFolderAndEnv('sqlite')
    await runEngawaCommand(elsewhere, 'restore', backup)
    const stage = join(elsewhere.DATA_DIR, 'restoring')
    await mkdir(stage)
    for (const name of ['engawa.db', 'secret'])
      await rename(join(elsewhere.DATA_DIR, name), join(stage, name))
    await writeFile(
      join(stage, 'ready'),
      JSON.stringify({ place: backup, aside: join(elsewhere.DATA_DIR, 'before-restore-x') }),
    )
    await expectStartFailure(elsewhere).then(({ code }) => expect(code).toBe(1))
    await runEngawaCommand(elsewhere, 'restore', backup)
    expect(existsSync(stage)).toBe(false)
    await startServerAndExpectPosts(elsewhere, ana, ids)
  })
})
