import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  countsOf,
  engawa,
  expectServed,
  goodIn,
  placeIn,
  serve,
  settled,
  site,
  until,
} from '#tests/communities.ts'
import { dialects } from '#tests/harness.ts'
import { type Member, visitor } from '#tests/sanctum.ts'
import { ahead, freshFolder, type Server } from '#tests/server.ts'

// These tests start whole processes, one after another, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

const DAY = 24 * 3600 * 1000
describe('every night', () => {
  /** A time of day that has just passed, wherever this machine is. */
  const lately = () => {
    const moment = new Date(Date.now() - 60_000)
    return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  }
  const lastOf = async (server: Server, ana: Pick<Member, 'email'>) => {
    const client = visitor(server.url)
    await client.logIn(ana.email)
    return (await client.http.get('/api/admin/facts')).data.backup
  }

  test('one backup is made; missed nights are caught up once; older ones go, those made by hand stay', async () => {
    const { env, ana, ids } = await settled()
    const nightly = { ...env, BACKUP_AT: lately(), BACKUP_KEEP: '2' }
    const folder = join(env.DATA_DIR, 'backups')
    const byHand = placeIn(await engawa(env, 'backup')).slice(folder.length + 1)
    const seen = [byHand]
    for (const days of [0, 1, 6]) {
      const server = await serve({ ...nightly, ...ahead(days * DAY) })
      await until(async () => (await goodIn(folder)).some((name) => !seen.includes(name)))
      await until(() => /made and proved/.test(server.logs()))
      await until(async () => (await goodIn(folder)).length <= 3)
      seen.push(...(await goodIn(folder)).filter((name) => !seen.includes(name)))
      expect((await lastOf(server, ana)).nightly).toBe(true)
      expect(await server.stop()).toBe(0)
      // The same night again: nothing is due.
      const again = await serve({ ...nightly, ...ahead(days * DAY) })
      await (await visitor(again.url).http.get('/healthz')).data
      await again.stop()
    }
    expect(seen, 'by hand, and one for each of three nights').toHaveLength(4)
    expect(await goodIn(folder)).toEqual([byHand, ...seen.slice(2)])
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', join(folder, seen.at(-1)!))
    await expectServed(elsewhere, ana, ids)
  })

  test('a failure is recorded with its reason, and the server goes on', async () => {
    const { env, ana } = await settled()
    const inTheWay = join(await freshFolder(), 'file')
    await writeFile(inTheWay, 'no folder')
    const server = await serve({ ...env, BACKUP_AT: lately(), BACKUP_DIR: inTheWay })
    await until(() => /The nightly backup failed/.test(server.logs()))
    const { good, failed } = await lastOf(server, ana)
    expect(good).toBeNull()
    expect(failed).toMatchObject({ at: expect.any(String), reason: expect.stringMatching(/\S/) })
    expect(await server.stop()).toBe(0)
  })
})

describe.each(dialects.filter((dialect) => dialect === 'postgres'))('two processes on %s', () => {
  test('make one nightly backup together', async () => {
    const { env } = await settled('postgres')
    const moment = new Date(Date.now() - 60_000)
    const BACKUP_AT = [moment.getHours(), moment.getMinutes()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':')
    const out = await freshFolder()
    const both = await Promise.all(
      [env.DATA_DIR, await freshFolder()].map((DATA_DIR) =>
        serve({ ...env, DATA_DIR, BACKUP_AT, BACKUP_DIR: out }),
      ),
    )
    await until(() => both.some((server) => /made and proved/.test(server.logs())))
    for (const server of both) await server.stop()
    expect(await goodIn(out)).toHaveLength(1)
    expect(await countsOf(env, ['backups'])).toEqual({ backups: 1 })
  })
})
