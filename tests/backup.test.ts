import { existsSync } from 'node:fs'
import { cp, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  countRowsByTableInTestDatabase,
  createEnvVariablesForNewTestCommunity,
  createMigratedCommunity,
  createStoppedTestCommunityWithPosts,
  createTestPostWithAxiosAndReturnId,
  expectEngawaCommandFailureWithMessage,
  expectEngawaCommandSuccessAndReturnOutput,
  flipBitInMiddleOfFile,
  listSortedFileNamesInFolder,
  parseBackupPathFromOutput,
  readBackupManifestInTest,
  startTestServerExpectPostsAndStop,
  startTestServerWithoutRateLimits,
} from '#tests/backup-helpers.ts'
import { deep, sample } from '#tests/deep.ts'
import { testDatabaseDialects } from '#tests/harness.ts'
import {
  createTestVisitorWithAxiosClient,
  registerTestMemberWithAxios,
  type TestMemberWithAxiosClient,
} from '#tests/sanctum.ts'
import { createTestServerTemporaryFolder } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Expects that a backup is not restored over the data of a community unless --overwrite is given, and that the
 * old data is then moved aside.
 */
async function expectRestoreOverDataOnlyWithOverwrite(
  { env, ana, ids }: Awaited<ReturnType<typeof createStoppedTestCommunityWithPosts>>,
  backup: string,
) {
  const server = await startTestServerWithoutRateLimits(env)
  const again = createTestVisitorWithAxiosClient(server.url)
  await again.logIn(ana.email)
  const later = await createTestPostWithAxiosAndReturnId(
    { ...again, id: 0, name: 'Ana', email: ana.email } as TestMemberWithAxiosClient,
    'after the backup',
    true,
  )
  await expectEngawaCommandFailureWithMessage(/DATA_DIR is in use/, env, 'restore', backup, '--overwrite')
  await server.stop()

  await expectEngawaCommandFailureWithMessage(/DATA_DIR is not empty/, env, 'restore', backup)
  if (env.DATABASE_URL)
    await expectEngawaCommandFailureWithMessage(
      /DATABASE_URL holds/,
      { ...env, DATA_DIR: await createTestServerTemporaryFolder() },
      'restore',
      backup,
    )
  const said = await expectEngawaCommandSuccessAndReturnOutput(env, 'restore', backup, '--overwrite')
  const aside = /^What was there before is in (.+)$/m.exec(said)![1]!
  const before = new DatabaseSync(join(aside, 'engawa.db'))
  expect(before.prepare('select body from posts where id = ?').get(later)).toEqual({
    body: 'after the backup',
  })
  before.close()
  expect((await listSortedFileNamesInFolder(join(aside, 'media'))).length).toBeGreaterThan(
    (await readBackupManifestInTest(backup)).pictures.files,
  )
  await startTestServerExpectPostsAndStop(env, ana, ids)
}

describe.each(testDatabaseDialects)('a backup of %s', (dialect) => {
  test('made while members post and delete is consistent, and can be restored elsewhere', async () => {
    const env = await createMigratedCommunity(dialect)
    const server = await startTestServerWithoutRateLimits(env)
    const people = [
      await registerTestMemberWithAxios(server.url, 'Ana'),
      await registerTestMemberWithAxios(server.url, 'Ben'),
      await registerTestMemberWithAxios(server.url, 'Chika'),
    ]
    const kept: number[] = []
    for (let n = 0; n < 6; n++)
      kept.push(await createTestPostWithAxiosAndReturnId(people[n % 3]!, `kept ${n}`, true))

    let busy = true
    const load = people.map(async (who) => {
      for (let n = 0; busy && n < 40; n++) {
        const id = await createTestPostWithAxiosAndReturnId(who, `passing ${n}`, n % 2 === 0)
        if (n % 3) expect((await who.http.delete(`/api/posts/${id}`)).status).toBeLessThan(300)
        // Leaves some of the processor to the backup.
        await sleep(50)
      }
    })
    const out = await createTestServerTemporaryFolder()
    const both = async () => [
      parseBackupPathFromOutput(await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out)),
      parseBackupPathFromOutput(await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out)),
    ]
    const backups = await both().finally(() => {
      busy = false
    })
    await Promise.all(load)
    await server.stop()
    expect((await listSortedFileNamesInFolder(out)).filter((name) => name.startsWith('.'))).toEqual([])

    // Expects that the second backup has hard links to the pictures of the first backup instead of copies.
    const shared = (await listSortedFileNamesInFolder(join(backups[0]!, 'media'))).filter((name) =>
      existsSync(join(backups[1]!, 'media', name)),
    )
    expect(shared.length).toBeGreaterThanOrEqual(kept.length)
    for (const name of shared) expect((await stat(join(backups[1]!, 'media', name))).nlink).toBe(2)

    // Restores one of them, and both in the deep stage.
    for (const backup of deep ? backups : [backups[Math.floor(Math.random() * 2)]!]) {
      const { tables, pictures, missing } = await readBackupManifestInTest(backup)
      expect(missing).toEqual([])
      expect((await listSortedFileNamesInFolder(join(backup, 'media'))).length).toBe(pictures.files)
      const elsewhere = await createEnvVariablesForNewTestCommunity('sqlite')
      await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
      const counts = Object.fromEntries(
        Object.entries(tables as Record<string, { rows: number }>).map(([name, { rows }]) => [name, rows]),
      )
      // Leaves out the table of secrets: it names the storage of this community only.
      const { secrets: _, ...expected } = counts
      expect(await countRowsByTableInTestDatabase(elsewhere, Object.keys(expected))).toEqual(expected)
      await startTestServerExpectPostsAndStop(elsewhere, people[0]!, kept)
    }
  })

  test('is restored into the same kind of database, with sessions; over other data only with --overwrite', async () => {
    const community = await createStoppedTestCommunityWithPosts(dialect)
    const { env, ana, ids } = community
    const out = await createTestServerTemporaryFolder()
    const backup = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out),
    )
    const elsewhere = await createEnvVariablesForNewTestCommunity(dialect)
    await expectEngawaCommandSuccessAndReturnOutput(elsewhere, 'restore', backup)
    expect(await readFile(join(elsewhere.DATA_DIR, 'secret'))).toEqual(
      await readFile(join(env.DATA_DIR, 'secret')),
    )
    const server = await startTestServerWithoutRateLimits(elsewhere)
    const cookie = ana.cookieHeader()
    expect(
      (await createTestVisitorWithAxiosClient(server.url).http.get('/api/user', { headers: { cookie } }))
        .status,
    ).toBe(200)
    await server.stop()
    await startTestServerExpectPostsAndStop(elsewhere, ana, ids)
    await expectRestoreOverDataOnlyWithOverwrite(community, backup)
  })
})

describe('a damaged backup', () => {
  test('is refused with the name of the file, and the next backup copies a damaged picture again', async () => {
    const { env } = await createStoppedTestCommunityWithPosts()
    const out = await createTestServerTemporaryFolder()
    const backup = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out),
    )
    const pictureFile = join('media', (await listSortedFileNamesInFolder(join(backup, 'media')))[0]!)
    for (const name of sample(['engawa.db', pictureFile, 'secret', 'SHA256SUMS', 'backup.json'])) {
      const broken = join(await createTestServerTemporaryFolder(), 'broken')
      await cp(backup, broken, { recursive: true })
      await flipBitInMiddleOfFile(join(broken, name))
      const elsewhere = await createEnvVariablesForNewTestCommunity('sqlite')
      await expectEngawaCommandFailureWithMessage(`damaged: ${name}`, elsewhere, 'restore', broken)
      expect(await listSortedFileNamesInFolder(elsewhere.DATA_DIR)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/engawa|media|secret|restoring/)]),
      )
    }
    const incomplete = join(await createTestServerTemporaryFolder(), 'incomplete')
    await cp(backup, incomplete, { recursive: true })
    await unlink(join(incomplete, pictureFile))
    await expectEngawaCommandFailureWithMessage(
      /damaged: media/,
      await createEnvVariablesForNewTestCommunity('sqlite'),
      'restore',
      incomplete,
    )
    await expectEngawaCommandFailureWithMessage(
      /is no backup/,
      await createEnvVariablesForNewTestCommunity('sqlite'),
      'restore',
      env.DATA_DIR,
    )

    // The next backup links the sound pictures, and copies the damaged one instead of linking it.
    const [rotten, sound] = await listSortedFileNamesInFolder(join(backup, 'media'))
    await flipBitInMiddleOfFile(join(backup, 'media', rotten!))
    const second = parseBackupPathFromOutput(
      await expectEngawaCommandSuccessAndReturnOutput(env, 'backup', out),
    )
    expect((await stat(join(second, 'media', rotten!))).nlink).toBe(1)
    expect((await stat(join(second, 'media', sound!))).nlink).toBe(2)
    await expectEngawaCommandSuccessAndReturnOutput(
      await createEnvVariablesForNewTestCommunity('sqlite'),
      'restore',
      second,
    )
  })
})
