import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  engawa,
  expectServed,
  goodIn,
  hold,
  killed,
  names,
  placeIn,
  run,
  settled,
  site,
  until,
} from '#tests/communities.ts'
import { freshFolder, refusedStart } from '#tests/server.ts'

// These tests start whole processes, one after another, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe('what is killed in the middle', () => {
  test('as a backup leaves nothing that looks good, and the next one is whole', async () => {
    const { env, ana, ids } = await settled()
    const out = await freshFolder()
    const media = join(env.DATA_DIR, 'media')
    const held = await hold(join(media, (await names(media))[1]!))
    const { child, done } = run(env, 'backup', out)
    const unfinished = async () =>
      (await names(out)).find((name) => name.startsWith('.unfinished-')) ?? 'none'
    await until(async () => (await names(join(out, await unfinished(), 'media'))).length > 0)
    await killed(child, done)
    expect(await goodIn(out)).toEqual([])
    await held.giveBack()
    const place = placeIn(await engawa(env, 'backup', out))
    expect(await names(out)).toEqual([place.slice(out.length + 1), 'lock'])
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', place)
    await expectServed(elsewhere, ana, ids)
  })

  test('as a restore can be run again, and nothing serves what is half there', async () => {
    const { env, ana, ids } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const held = await hold(join(place, 'media', (await names(join(place, 'media')))[1]!))
    const elsewhere = await site('sqlite')
    const { child, done } = run(elsewhere, 'restore', place)
    await held.once()
    await until(() => existsSync(join(elsewhere.DATA_DIR, 'restoring')))
    await killed(child, done)
    await held.giveBack()
    const refusal = await refusedStart(elsewhere)
    expect(refusal.code).toBe(1)
    expect(refusal.output).toMatch(/engawa restore/)
    await rm(join(elsewhere.DATA_DIR, 'secret'), { force: true })
    await rm(join(elsewhere.DATA_DIR, 'pusher-secret'), { force: true })
    await engawa(elsewhere, 'restore', place)
    await expectServed(elsewhere, ana, ids)
  })

  test('as a restore that was moving into its place goes on from there', async () => {
    const { env, ana, ids } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const elsewhere = await site('sqlite')
    await engawa(elsewhere, 'restore', place)
    const stage = join(elsewhere.DATA_DIR, 'restoring')
    await mkdir(stage)
    for (const name of ['engawa.db', 'secret'])
      await rename(join(elsewhere.DATA_DIR, name), join(stage, name))
    await writeFile(
      join(stage, 'ready'),
      JSON.stringify({ place, aside: join(elsewhere.DATA_DIR, 'before-restore-x') }),
    )
    await refusedStart(elsewhere).then(({ code }) => expect(code).toBe(1))
    await engawa(elsewhere, 'restore', place)
    expect(existsSync(stage)).toBe(false)
    await expectServed(elsewhere, ana, ids)
  })
})
