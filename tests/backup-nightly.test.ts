import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { lockDataFolder } from '#core/database/data-folder.ts'
import {
  backupPath,
  countRows,
  expectPosts,
  finishedBackups,
  newCommunity,
  runEngawa,
  startUnlimited,
  stoppedCommunity,
  waitUntilTrue,
} from '#tests/backup-helpers.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { type AxiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { clockAhead, type RunningServer, serverFolder } from '#tests/server.ts'

// Sets a long time limit for each test, because these tests start many processes, and the machine may be
// busy.
vi.setConfig({ testTimeout: 240_000 })

const DAY = 24 * 3600 * 1000
describe('the nightly schedule', () => {
  /** Returns the local time of day of one minute ago, such as 23:59. */
  const lately = () => {
    const moment = new Date(Date.now() - 60_000)
    return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  }
  const lastOf = async (server: RunningServer, ana: Pick<AxiosMember, 'email'>) => {
    const client = axiosVisitor(server.url)
    await client.logIn(ana.email)
    return (await client.http.get('/api/admin/facts')).data.backup
  }

  test('makes one backup; makes only one for several missed nights; deletes old nightly backups, but not manual ones', async () => {
    const { env, ana, ids } = await stoppedCommunity()
    const nightly = { ...env, BACKUP_AT: lately(), BACKUP_KEEP: '2' }
    const folder = join(env.DATA_DIR, 'backups')
    const byHand = backupPath(await runEngawa(env, 'backup')).slice(folder.length + 1)
    const seen = [byHand]
    for (const days of [0, 1, 6]) {
      const server = await startUnlimited({
        ...nightly,
        ...clockAhead(days * DAY),
      })
      await waitUntilTrue(async () => (await finishedBackups(folder)).some((name) => !seen.includes(name)))
      await waitUntilTrue(() => /made and proved/.test(server.logs()))
      await waitUntilTrue(async () => (await finishedBackups(folder)).length <= 3)
      seen.push(...(await finishedBackups(folder)).filter((name) => !seen.includes(name)))
      expect((await lastOf(server, ana)).nightly).toBe(true)
      expect(await server.stop()).toBe(0)
      // Starts the server again in the same night, in which it must make no second backup.
      const again = await startUnlimited({
        ...nightly,
        ...clockAhead(days * DAY),
      })
      await (await axiosVisitor(again.url).http.get('/healthz')).data
      await again.stop()
    }
    expect(seen, 'by hand, and one for each of three nights').toHaveLength(4)
    expect(await finishedBackups(folder)).toEqual([byHand, ...seen.slice(2)])
    const elsewhere = await newCommunity('sqlite')
    await runEngawa(elsewhere, 'restore', join(folder, seen.at(-1)!))
    await expectPosts(elsewhere, ana, ids)
  })

  test('records the reason of a failure, and the server keeps running', async () => {
    const { env, ana } = await stoppedCommunity()
    const folder = await serverFolder()
    onTestFinished(lockDataFolder(folder))
    const server = await startUnlimited({
      ...env,
      BACKUP_AT: lately(),
      BACKUP_DIR: folder,
    })
    await waitUntilTrue(() => /The nightly backup failed/.test(server.logs()))
    const { good, failed } = await lastOf(server, ana)
    expect(good).toBeNull()
    expect(failed).toMatchObject({ at: expect.any(String), reason: expect.stringMatching(/\S/) })
    expect(await server.stop()).toBe(0)
  })
})

describe.each(dialectsInTurn().filter((dialect) => dialect === 'postgres'))('two processes on %s', () => {
  test('make only one nightly backup', async () => {
    const { env } = await stoppedCommunity('postgres')
    const moment = new Date(Date.now() - 60_000)
    const BACKUP_AT = [moment.getHours(), moment.getMinutes()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':')
    const out = await serverFolder()
    // Two processes with one folder of pictures, as on a disk that both have mounted.
    const second = await serverFolder()
    await symlink(join(env.DATA_DIR, 'media'), join(second, 'media'))
    const both = await Promise.all(
      [env.DATA_DIR, second].map((DATA_DIR) =>
        startUnlimited({ ...env, DATA_DIR, BACKUP_AT, BACKUP_DIR: out }),
      ),
    )
    await waitUntilTrue(() => both.some((server) => /made and proved/.test(server.logs())))
    for (const server of both) await server.stop()
    expect(await finishedBackups(out)).toHaveLength(1)
    expect(await countRows(env, ['backups'])).toEqual({ backups: 1 })
  })
})
