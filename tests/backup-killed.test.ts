import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  createEnvVariablesForNewTestCommunity,
  createStoppedTestCommunityWithPosts,
  expectEngawaCommandSuccessAndReturnOutput,
  killTestChildProcessAndWait,
  listFinishedBackupFolderNames,
  listSortedFileNamesInFolder,
  parseBackupPathFromOutput,
  replaceFileWithNamedPipe,
  spawnEngawaCommandInTest,
  startTestServerExpectPostsAndStop,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { createTestServerTemporaryFolder, expectServerStartFailureAndReturnOutput } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

describe('after a kill', () => {
  test('of a backup, no complete backup is left, and the next backup is complete', async () => {
    const { env, ana, ids } = await createStoppedTestCommunityWithPosts()
    const out = await createTestServerTemporaryFolder()
    const media = join(env.DATA_DIR, 'media')
    const held = await replaceFileWithNamedPipe(join(media, (await listSortedFileNamesInFolder(media))[1]!))
    const { child, done } = spawnEngawaCommandInTest(env, 'backup', out)
    const unfinished = async () =>
      (await listSortedFileNamesInFolder(out)).find((name) => name.startsWith('.unfinished-')) ?? 'none'
    await waitUntilTrue(
      async () => (await listSortedFileNamesInFolder(join(out, await unfinished(), 'media'))).length > 0,
    )
    await killTestChildProcessAndWait(child, done)
    expect(await listFinishedBackupFolderNames(out)).toEqual([])
    await held.giveBack()
    const backup = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out),
    )
    expect(await listSortedFileNamesInFolder(out)).toEqual([backup.slice(out.length + 1), 'lock'])
    const elsewhere = await createEnvVariablesForNewTestCommunity('sqlite')
    await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
    await startTestServerExpectPostsAndStop(elsewhere, ana, ids)
  })

  test('of a restore, the restore can be run again, and no server starts on the incomplete folder', async () => {
    const { env, ana, ids } = await createStoppedTestCommunityWithPosts()
    const backup = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', await createTestServerTemporaryFolder()),
    )
    const held = await replaceFileWithNamedPipe(
      join(backup, 'media', (await listSortedFileNamesInFolder(join(backup, 'media')))[1]!),
    )
    const elsewhere = await createEnvVariablesForNewTestCommunity('sqlite')
    const { child, done } = spawnEngawaCommandInTest(elsewhere, 'restore', backup)
    await held.once()
    await waitUntilTrue(() => existsSync(join(elsewhere.DATA_DIR, 'restoring')))
    await killTestChildProcessAndWait(child, done)
    await held.giveBack()
    const refusal = await expectServerStartFailureAndReturnOutput(elsewhere)
    expect(refusal.code).toBe(1)
    expect(refusal.output).toMatch(/engawa restore/)
    expect((await readdir(elsewhere.DATA_DIR)).filter((name) => /secret|key|code/.test(name))).toEqual([])
    await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
    await startTestServerExpectPostsAndStop(elsewhere, ana, ids)
  })

  test('of a restore that was moving files into place, the next restore continues there', async () => {
    const { env, ana, ids } = await createStoppedTestCommunityWithPosts()
    const backup = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', await createTestServerTemporaryFolder()),
    )
    const elsewhere = await createEnvVariablesForNewTestCommunity('sqlite')
    await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
    const stage = join(elsewhere.DATA_DIR, 'restoring')
    await mkdir(stage)
    for (const name of ['engawa.db', 'secret'])
      await rename(join(elsewhere.DATA_DIR, name), join(stage, name))
    await writeFile(
      join(stage, 'ready'),
      JSON.stringify({ place: backup, aside: join(elsewhere.DATA_DIR, 'before-restore-x') }),
    )
    await expectServerStartFailureAndReturnOutput(elsewhere).then(({ code }) => expect(code).toBe(1))
    await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
    expect(existsSync(stage)).toBe(false)
    await startTestServerExpectPostsAndStop(elsewhere, ana, ids)
  })
})
