import { existsSync } from 'node:fs'
import { cp, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  backupPath,
  countRows,
  expectFailure,
  expectPosts,
  fileNamesIn,
  flipBit,
  migratedCommunity,
  newCommunity,
  postWithAxios,
  readManifest,
  runEngawa,
  startUnlimited,
  stoppedCommunity,
} from '#tests/backup-helpers.ts'
import { deep, sample } from '#tests/deep.ts'
import { databases } from '#tests/harness.ts'
import { type AxiosMember, axiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { serverFolder } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Expects that a backup is not restored over the data of a community unless --overwrite is given, and that the
 * old data is then moved aside.
 */
async function expectOverwriteNeeded(
  { env, ana, ids }: Awaited<ReturnType<typeof stoppedCommunity>>,
  backup: string,
) {
  const server = await startUnlimited(env)
  const again = axiosVisitor(server.url)
  await again.logIn(ana.email)
  const later = await postWithAxios(
    { ...again, id: 0, name: 'Ana', email: ana.email } as AxiosMember,
    'after the backup',
    true,
  )
  await expectFailure(/DATA_DIR is in use/, env, 'restore', backup, '--overwrite')
  await server.stop()

  await expectFailure(/DATA_DIR is not empty/, env, 'restore', backup)
  if (env.DATABASE_URL)
    await expectFailure(/DATABASE_URL holds/, { ...env, DATA_DIR: await serverFolder() }, 'restore', backup)
  const said = await runEngawa(env, 'restore', backup, '--overwrite')
  const aside = /^What was there before is in (.+)$/m.exec(said)![1]!
  const before = new DatabaseSync(join(aside, 'engawa.db'))
  expect(before.prepare('select body from posts where id = ?').get(later)).toEqual({
    body: 'after the backup',
  })
  before.close()
  expect((await fileNamesIn(join(aside, 'media'))).length).toBeGreaterThan(
    (await readManifest(backup)).pictures.files,
  )
  await expectPosts(env, ana, ids)
}

describe.each(databases)('a backup of %s', (dialect) => {
  test('made while members post and delete is consistent, and can be restored elsewhere', async () => {
    const env = await migratedCommunity(dialect)
    const server = await startUnlimited(env)
    const people = [
      await axiosMember(server.url, 'Ana'),
      await axiosMember(server.url, 'Ben'),
      await axiosMember(server.url, 'Chika'),
    ]
    const kept: number[] = []
    for (let n = 0; n < 6; n++) kept.push(await postWithAxios(people[n % 3]!, `kept ${n}`, true))

    let busy = true
    const load = people.map(async (who) => {
      for (let n = 0; busy && n < 40; n++) {
        const id = await postWithAxios(who, `passing ${n}`, n % 2 === 0)
        if (n % 3) expect((await who.http.delete(`/api/posts/${id}`)).status).toBeLessThan(300)
        // Leaves some of the processor to the backup.
        await sleep(50)
      }
    })
    const out = await serverFolder()
    const both = async () => [
      backupPath(await runEngawa(env, 'backup', out)),
      backupPath(await runEngawa(env, 'backup', out)),
    ]
    const backups = await both().finally(() => {
      busy = false
    })
    await Promise.all(load)
    await server.stop()
    expect((await fileNamesIn(out)).filter((name) => name.startsWith('.'))).toEqual([])

    // Expects that the second backup has hard links to the pictures of the first backup instead of copies.
    const shared = (await fileNamesIn(join(backups[0]!, 'media'))).filter((name) =>
      existsSync(join(backups[1]!, 'media', name)),
    )
    expect(shared.length).toBeGreaterThanOrEqual(kept.length)
    for (const name of shared) expect((await stat(join(backups[1]!, 'media', name))).nlink).toBe(2)

    // Restores one of them, and both in the deep stage.
    for (const backup of deep ? backups : [backups[Math.floor(Math.random() * 2)]!]) {
      const { tables, pictures, missing } = await readManifest(backup)
      expect(missing).toEqual([])
      expect((await fileNamesIn(join(backup, 'media'))).length).toBe(pictures.files)
      const elsewhere = await newCommunity('sqlite')
      await runEngawa(elsewhere, 'restore', backup)
      const counts = Object.fromEntries(
        Object.entries(tables as Record<string, { rows: number }>).map(([name, { rows }]) => [name, rows]),
      )
      // Leaves out the table of secrets: it names the storage of this community only.
      const { secrets: _, ...expected } = counts
      expect(await countRows(elsewhere, Object.keys(expected))).toEqual(expected)
      await expectPosts(elsewhere, people[0]!, kept)
    }
  })

  test('is restored into the same kind of database, with sessions; over other data only with --overwrite', async () => {
    const community = await stoppedCommunity(dialect)
    const { env, ana, ids } = community
    const out = await serverFolder()
    const backup = backupPath(await runEngawa(env, 'backup', out))
    const elsewhere = await newCommunity(dialect)
    await runEngawa(elsewhere, 'restore', backup)
    expect(await readFile(join(elsewhere.DATA_DIR, 'secret'))).toEqual(
      await readFile(join(env.DATA_DIR, 'secret')),
    )
    const server = await startUnlimited(elsewhere)
    const cookie = ana.cookieHeader()
    expect((await axiosVisitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectPosts(elsewhere, ana, ids)
    await expectOverwriteNeeded(community, backup)
  })
})

describe('a damaged backup', () => {
  test('is refused with the name of the file, and the next backup copies a damaged picture again', async () => {
    const { env } = await stoppedCommunity()
    const out = await serverFolder()
    const backup = backupPath(await runEngawa(env, 'backup', out))
    const pictureFile = join('media', (await fileNamesIn(join(backup, 'media')))[0]!)
    for (const name of sample(['engawa.db', pictureFile, 'secret', 'SHA256SUMS', 'backup.json'])) {
      const broken = join(await serverFolder(), 'broken')
      await cp(backup, broken, { recursive: true })
      await flipBit(join(broken, name))
      const elsewhere = await newCommunity('sqlite')
      await expectFailure(`damaged: ${name}`, elsewhere, 'restore', broken)
      expect(await fileNamesIn(elsewhere.DATA_DIR)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/engawa|media|secret|restoring/)]),
      )
    }
    const incomplete = join(await serverFolder(), 'incomplete')
    await cp(backup, incomplete, { recursive: true })
    await unlink(join(incomplete, pictureFile))
    await expectFailure(/damaged: media/, await newCommunity('sqlite'), 'restore', incomplete)
    await expectFailure(/is no backup/, await newCommunity('sqlite'), 'restore', env.DATA_DIR)

    // The next backup links the sound pictures, and copies the damaged one instead of linking it.
    const [rotten, sound] = await fileNamesIn(join(backup, 'media'))
    await flipBit(join(backup, 'media', rotten!))
    const second = backupPath(await runEngawa(env, 'backup', out))
    expect((await stat(join(second, 'media', rotten!))).nlink).toBe(1)
    expect((await stat(join(second, 'media', sound!))).nlink).toBe(2)
    await runEngawa(await newCommunity('sqlite'), 'restore', second)
  })
})
