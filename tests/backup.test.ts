import { existsSync } from 'node:fs'
import { cp, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import {
  countsOf,
  engawa,
  expectServed,
  factsOf,
  flipByte,
  names,
  placeIn,
  post,
  refused,
  serve,
  settled,
  site,
} from '#tests/communities.ts'
import { dialects } from '#tests/harness.ts'
import { type Member, member, visitor } from '#tests/sanctum.ts'
import { freshFolder } from '#tests/server.ts'

// These tests start whole processes, one after another, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

describe.each(dialects)('a backup of %s', (dialect) => {
  test('made while people post and delete holds one moment, and is restored elsewhere', async () => {
    const env = await site(dialect)
    const server = await serve(env)
    const people = [
      await member(server.url, 'Ana'),
      await member(server.url, 'Ben'),
      await member(server.url, 'Chika'),
    ]
    const kept: number[] = []
    for (let n = 0; n < 6; n++) kept.push(await post(people[n % 3]!, `kept ${n}`, true))

    let busy = true
    const load = people.map(async (who) => {
      for (let n = 0; busy; n++) {
        const id = await post(who, `passing ${n}`, n % 2 === 0)
        if (n % 3) expect((await who.http.delete(`/api/posts/${id}`)).status).toBeLessThan(300)
      }
    })
    const out = await freshFolder()
    const both = async () => [
      placeIn(await engawa(env, 'backup', out)),
      placeIn(await engawa(env, 'backup', out)),
    ]
    const places = await both().finally(() => {
      busy = false
    })
    await Promise.all(load)
    await server.stop()
    expect((await names(out)).filter((name) => name.startsWith('.'))).toEqual([])

    // The pictures that the first holds are not held twice.
    const shared = (await names(join(places[0]!, 'media'))).filter((name) =>
      existsSync(join(places[1]!, 'media', name)),
    )
    expect(shared.length).toBeGreaterThanOrEqual(kept.length)
    for (const name of shared) expect((await stat(join(places[1]!, 'media', name))).nlink).toBe(2)

    for (const place of places) {
      const { tables, pictures, missing } = await factsOf(place)
      expect(missing).toEqual([])
      expect((await names(join(place, 'media'))).length).toBe(pictures.files)
      const elsewhere = await site('sqlite')
      await engawa(elsewhere, 'restore', place)
      const counts = Object.fromEntries(
        Object.entries(tables as Record<string, { rows: number }>).map(([name, { rows }]) => [name, rows]),
      )
      expect(await countsOf(elsewhere, Object.keys(tables))).toEqual(counts)
      await expectServed(elsewhere, people[0]!, kept)
    }
  })

  test('is restored into the same kind of database; with the secret, so that whoever was logged in still is', async () => {
    const { env, ana, ids } = await settled(dialect)
    const out = await freshFolder()
    const place = placeIn(await engawa(env, 'backup', out))
    const elsewhere = await site(dialect)
    await engawa(elsewhere, 'restore', place)
    expect(await readFile(join(elsewhere.DATA_DIR, 'secret'))).toEqual(
      await readFile(join(env.DATA_DIR, 'secret')),
    )
    const server = await serve(elsewhere)
    const cookie = ana.cookieHeader()
    expect((await visitor(server.url).http.get('/api/user', { headers: { cookie } })).status).toBe(200)
    await server.stop()
    await expectServed(elsewhere, ana, ids)
  })

  test('does not go over what is there, unless it is told to; then that is laid aside', async () => {
    const { env, ana, ids } = await settled(dialect)
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const server = await serve(env)
    const again = visitor(server.url)
    await again.logIn(ana.email)
    const later = await post(
      { ...again, id: 0, name: 'Ana', email: ana.email } as Member,
      'after the backup',
      true,
    )
    await refused(/DATA_DIR is in use/, env, 'restore', place, '--overwrite')
    await server.stop()

    await refused(/DATA_DIR is not empty/, env, 'restore', place)
    if (env.DATABASE_URL)
      await refused(/DATABASE_URL holds/, { ...env, DATA_DIR: await freshFolder() }, 'restore', place)
    const said = await engawa(env, 'restore', place, '--overwrite')
    const aside = /^What was there before is in (.+)$/m.exec(said)![1]!
    const before = new DatabaseSync(join(aside, 'engawa.db'))
    expect(before.prepare('select body from posts where id = ?').get(later)).toEqual({
      body: 'after the backup',
    })
    before.close()
    expect((await names(join(aside, 'media'))).length).toBeGreaterThan((await factsOf(place)).pictures.files)
    await expectServed(env, ana, ids)
  })
})

describe('a damaged backup', () => {
  test('is refused, and the file is named, before anything is changed', async () => {
    const { env } = await settled()
    const place = placeIn(await engawa(env, 'backup', await freshFolder()))
    const aPicture = join('media', (await names(join(place, 'media')))[0]!)
    for (const name of ['engawa.db', aPicture, 'secret', 'SHA256SUMS', 'backup.json']) {
      const broken = join(await freshFolder(), 'broken')
      await cp(place, broken, { recursive: true })
      await flipByte(join(broken, name))
      const elsewhere = await site('sqlite')
      await refused(`damaged: ${name}`, elsewhere, 'restore', broken)
      expect(await names(elsewhere.DATA_DIR)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/engawa|media|secret|restoring/)]),
      )
    }
    const lacking = join(await freshFolder(), 'lacking')
    await cp(place, lacking, { recursive: true })
    await unlink(join(lacking, aPicture))
    await refused(/damaged: media/, await site('sqlite'), 'restore', lacking)
    await refused(/is no backup/, await site('sqlite'), 'restore', env.DATA_DIR)
  })

  test('is not built upon: a picture that has rotten in the one before is copied anew', async () => {
    const { env } = await settled()
    const out = await freshFolder()
    const first = placeIn(await engawa(env, 'backup', out))
    const [rotten, sound] = await names(join(first, 'media'))
    await flipByte(join(first, 'media', rotten!))
    const second = placeIn(await engawa(env, 'backup', out))
    expect((await stat(join(second, 'media', rotten!))).nlink).toBe(1)
    expect((await stat(join(second, 'media', sound!))).nlink).toBe(2)
    await engawa(await site('sqlite'), 'restore', second)
  })
})
