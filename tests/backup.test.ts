import { existsSync } from 'node:fs'
import { cp, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import {
  countRowsByTable,
  createCommunityFolderAndEnv,
  createCommunityWithPosts,
  createPost,
  expectCommandError,
  flipMiddleByte,
  listFileNames,
  parseBackupPathFromOutput,
  readBackupManifest,
  runEngawaCommand,
  startServerAndExpectPosts,
  startServerWithoutRateLimits,
} from '#tests/backup-helpers.ts'
import { dialects } from '#tests/harness.ts'
import { createVisitor, type RegisteredMember, registerMember } from '#tests/sanctum.ts'
import { createServerTemporaryFolder } from '#tests/server.ts'

// The time limit is long, because these tests start many processes, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(dialects)('a backup of %s', (dialect) => {
  test('made while members post and delete is consistent, and can be restored elsewhere', async () => {
    const env = await createCommunityFolderAndEnv(dialect)
    const server = await startServerWithoutRateLimits(env)
    const people = [
      await registerMember(server.url, 'Ana'),
      await registerMember(server.url, 'Ben'),
      await registerMember(server.url, 'Chika'),
    ]
    const kept: number[] = []
    for (let n = 0; n < 6; n++) kept.push(await createPost(people[n % 3]!, `kept ${n}`, true))

    let busy = true
    const load = people.map(async (who) => {
      for (let n = 0; busy; n++) {
        const id = await createPost(who, `passing ${n}`, n % 2 === 0)
        if (n % 3) expect((await who.http.delete(`/api/posts/${id}`)).status).toBeLessThan(300)
      }
    })
    const out = await createServerTemporaryFolder()
    const both = async () => [
      parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out)),
      parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out)),
    ]
    const backups = await both().finally(() => {
      busy = false
    })
    await Promise.all(load)
    await server.stop()
    expect((await listFileNames(out)).filter((name) => name.startsWith('.'))).toEqual([])

    // The second backup links the pictures of the first one instead of copying them.
    const shared = (await listFileNames(join(backups[0]!, 'media'))).filter((name) =>
      existsSync(join(backups[1]!, 'media', name)),
    )
    expect(shared.length).toBeGreaterThanOrEqual(kept.length)
    for (const name of shared) expect((await stat(join(backups[1]!, 'media', name))).nlink).toBe(2)

    for (const backup of backups) {
      const { tables, pictures, missing } = await readBackupManifest(backup)
      expect(missing).toEqual([])
      expect((await listFileNames(join(backup, 'media'))).length).toBe(pictures.files)
      const elsewhere = await createCommunityFolderAndEnv('sqlite')
      await runEngawaCommand(elsewhere, 'restore', backup)
      const counts = Object.fromEntries(
        Object.entries(tables as Record<string, { rows: number }>).map(([name, { rows }]) => [name, rows]),
      )
      expect(await countRowsByTable(elsewhere, Object.keys(tables))).toEqual(counts)
      await startServerAndExpectPosts(elsewhere, people[0]!, kept)
    }
  })

  test('is restored into the same kind of database; the secret is restored too, so sessions stay valid', async () => {
    const { env, ana, ids } = await createCommunityWithPosts(dialect)
    const out = await createServerTemporaryFolder()
    const backup = parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out))
    const elsewhere = await createCommunityFolderAndEnv(dialect)
    await runEngawaCommand(elsewhere, 'restore', backup)
    expect(await readFile(join(elsewhere.DATA_DIR, 'secret'))).toEqual(
      await readFile(join(env.DATA_DIR, 'secret')),
    )
    const server = await startServerWithoutRateLimits(elsewhere)
    const cookie = ana.cookieHeader()
    expect((await createVisitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await startServerAndExpectPosts(elsewhere, ana, ids)
  })

  test('is not restored over existing data unless --overwrite is given; then the old data is moved aside', async () => {
    const { env, ana, ids } = await createCommunityWithPosts(dialect)
    const backup = parseBackupPathFromOutput(
      await runEngawaCommand(env, 'backup', await createServerTemporaryFolder()),
    )
    const server = await startServerWithoutRateLimits(env)
    const again = createVisitor(server.url)
    await again.logIn(ana.email)
    const later = await createPost(
      { ...again, id: 0, name: 'Ana', email: ana.email } as RegisteredMember,
      'after the backup',
      true,
    )
    await expectCommandError(/DATA_DIR is in use/, env, 'restore', backup, '--overwrite')
    await server.stop()

    await expectCommandError(/DATA_DIR is not empty/, env, 'restore', backup)
    if (env.DATABASE_URL)
      await expectCommandError(
        /DATABASE_URL holds/,
        { ...env, DATA_DIR: await createServerTemporaryFolder() },
        'restore',
        backup,
      )
    const said = await runEngawaCommand(env, 'restore', backup, '--overwrite')
    const aside = /^What was there before is in (.+)$/m.exec(said)![1]!
    const before = new DatabaseSync(join(aside, 'engawa.db'))
    expect(before.prepare('select body from posts where id = ?').get(later)).toEqual({
      body: 'after the backup',
    })
    before.close()
    expect((await listFileNames(join(aside, 'media'))).length).toBeGreaterThan(
      (await readBackupManifest(backup)).pictures.files,
    )
    await startServerAndExpectPosts(env, ana, ids)
  })
})

describe('a damaged backup', () => {
  test('is refused with the name of the file, before anything is changed', async () => {
    const { env } = await createCommunityWithPosts()
    const backup = parseBackupPathFromOutput(
      await runEngawaCommand(env, 'backup', await createServerTemporaryFolder()),
    )
    const pictureFile = join('media', (await listFileNames(join(backup, 'media')))[0]!)
    for (const name of ['engawa.db', pictureFile, 'secret', 'SHA256SUMS', 'backup.json']) {
      const broken = join(await createServerTemporaryFolder(), 'broken')
      await cp(backup, broken, { recursive: true })
      await flipMiddleByte(join(broken, name))
      const elsewhere = await createCommunityFolderAndEnv('sqlite')
      await expectCommandError(`damaged: ${name}`, elsewhere, 'restore', broken)
      expect(await listFileNames(elsewhere.DATA_DIR)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/engawa|media|secret|restoring/)]),
      )
    }
    const incomplete = join(await createServerTemporaryFolder(), 'incomplete')
    await cp(backup, incomplete, { recursive: true })
    await unlink(join(incomplete, pictureFile))
    await expectCommandError(
      /damaged: media/,
      await createCommunityFolderAndEnv('sqlite'),
      'restore',
      incomplete,
    )
    await expectCommandError(
      /is no backup/,
      await createCommunityFolderAndEnv('sqlite'),
      'restore',
      env.DATA_DIR,
    )
  })

  test('does not affect the next backup, which copies a damaged picture again instead of linking it', async () => {
    const { env } = await createCommunityWithPosts()
    const out = await createServerTemporaryFolder()
    const first = parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out))
    const [rotten, sound] = await listFileNames(join(first, 'media'))
    await flipMiddleByte(join(first, 'media', rotten!))
    const second = parseBackupPathFromOutput(await runEngawaCommand(env, 'backup', out))
    expect((await stat(join(second, 'media', rotten!))).nlink).toBe(1)
    expect((await stat(join(second, 'media', sound!))).nlink).toBe(2)
    await runEngawaCommand(await createCommunityFolderAndEnv('sqlite'), 'restore', second)
  })
})
