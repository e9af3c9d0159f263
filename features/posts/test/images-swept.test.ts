import { AsyncLocalStorage } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { asMember } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { openMedia } from '#core/media/media.ts'
import {
  createTestApp,
  dialects,
  form,
  rowsOf,
  stores,
  type TestApp,
  type TestAppOptions,
} from '#tests/harness.ts'
import { asFile, quarters } from '#tests/pictures.ts'
import { postImageSizes } from '../images.ts'
import { create, remove } from '../model.ts'

const nameOf = (path: string) => path.split('/').at(-1)!.split('-')[0]!
const HOUR = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function open(options: TestAppOptions) {
  const place = await createTestApp(options)
  const { Ann } = await place.members('Ann')
  const picture = asFile(await quarters(400, 200).png().toBuffer(), 'a.png')
  const post = async () => (await Ann.post('/api/posts', form({}, { 'images[]': [picture] }))).body.post
  return { ...place, Ann, post }
}

/** Another process of the same community. */
async function another({ db, files, folder, app }: TestApp) {
  const media = openMedia(db, files, { dataFolder: folder, origin: '', singleProcess: false }, app.log)
  onTestFinished(() => media.close())
  return media
}

/** Neither a file without a row nor a row without its files. */
async function expectWhole({ db, kept }: TestApp) {
  const rows = (await rowsOf(db, 'media')) as { name: string; widths: string }[]
  const files = rows.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`))
  expect(await kept()).toEqual(files.sort())
  for (const table of ['unshown_media', 'loose_media']) expect(await rowsOf(db, table), table).toEqual([])
}

const kinds = dialects.flatMap((dialect) => stores.map((store) => ({ dialect, store })))

describe.each(kinds)('what a process on $dialect and $store that was killed left behind', (kind) => {
  test('before the first file, among files, and after the last is cleared at the next start', async () => {
    const place = await open(kind)
    const shown = await place.post()
    const [none, some, all] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string]
    const since = new Date().toISOString()
    const rows = [none, some, all].map((name) => ({ name, widths: '320,400', since, going: 0 }))
    await transaction(place.db, (tx) => tx.insertInto('loose_media').values(rows).execute())
    for (const file of [`${some}-320.webp`, `${all}-320.webp`, `${all}-400.webp`])
      await place.files.write(file, Buffer.from('x'))
    await place.context.media.sweep()
    // A bucket may still store a file that was sent to it, so the rows stay and a later sweep deletes again.
    if (kind.store === 's3') {
      expect(await rowsOf(place.db, 'loose_media')).toHaveLength(3)
      await place.files.write(`${none}-320.webp`, Buffer.from('x'))
      await transaction(place.db, (tx) =>
        tx
          .updateTable('loose_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await (await another(place)).sweep()
    }
    await expectWhole(place)
    expect(await place.Ann.get(shown.images[0].path)).toMatchObject({ status: 200 })
  })

  test('after a post was deleted is cleared: its rows, and files of which some are gone already', async () => {
    const place = await open(kind)
    const [first, second, stays] = [await place.post(), await place.post(), await place.post()]
    for (const { id } of [first, second]) await remove(asMember(place.context, place.Ann.id), id)
    await place.files.remove(`${nameOf(first.images[0].path)}-320.webp`)
    expect(await rowsOf(place.db, 'unshown_media')).toHaveLength(2)
    await place.context.media.sweep()
    await expectWhole(place)
    expect(await place.Ann.get(stays.images[0].path)).toMatchObject({ status: 200 })
  })

  test('is left alone by another process for as long as an upload may take', async () => {
    const place = await open(kind)
    const [young, old] = ['1'.repeat(40), '2'.repeat(40)] as const
    const rows = [
      { name: young, widths: '320', since: ago(60_000), going: 0 },
      { name: old, widths: '320', since: ago(HOUR), going: 0 },
    ]
    await transaction(place.db, (tx) => tx.insertInto('loose_media').values(rows).execute())
    for (const { name } of rows) await place.files.write(`${name}-320.webp`, Buffer.from('x'))
    await (await another(place)).sweep()
    expect(await place.kept()).toEqual([`${young}-320.webp`])
    expect(await rowsOf(place.db, 'loose_media')).toMatchObject([{ name: young, going: 0 }])
  })

  test('is looked for every ten minutes', async () => {
    const place = await open(kind)
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await another(place)
    await transaction(place.db, (tx) =>
      tx
        .insertInto('loose_media')
        .values({ name: 'x', widths: '320', since: ago(HOUR), going: 1 })
        .execute(),
    )
    vi.advanceTimersByTime(599_000)
    expect(await rowsOf(place.db, 'loose_media')).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    await expect.poll(() => rowsOf(place.db, 'loose_media')).toEqual([])
  })
})

describe.each(kinds)('a picture on $dialect and $store', (kind) => {
  const upload = async ({ folder, context }: TestApp) => {
    const file = join(folder, 'a.png')
    await writeFile(file, await quarters().png().toBuffer())
    return context.media.receive('images', 'a.png', createReadStream(file))
  }
  const given = { body: 'Look!', alt: [] }

  test('whose upload took so long that its files were removed is refused, and nothing of it stays', async () => {
    const place = await open(kind)
    const rival = await another(place)
    const late = place.context.media.store([await upload(place)], postImageSizes, async (pictures) => {
      await transaction(place.db, (tx) =>
        tx
          .updateTable('loose_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await rival.sweep()
      return create(asMember(place.context, place.Ann.id), { ...given, pictures })
    })
    await expect(late).rejects.toMatchObject({ status: 503 })
    expect(await rowsOf(place.db, 'posts')).toEqual([])
    await expectWhole(place)
  })

  test('whose files are being removed cannot be recorded', async () => {
    const place = await open(kind)
    const late = place.context.media.store([await upload(place)], postImageSizes, async (pictures) => {
      await transaction(place.db, (tx) => tx.updateTable('loose_media').set({ going: 1 }).execute())
      return create(asMember(place.context, place.Ann.id), { ...given, pictures })
    })
    await expect(late).rejects.toMatchObject({ status: 503 })
    await expectWhole(place)
  })

  test('that is being recorded is waited for by a sweep, and stays', async () => {
    const place = await open(kind)
    const { db, context, Ann } = place
    const rival = await another(place)
    let sweeping: Promise<unknown> | undefined
    const outside = AsyncLocalStorage.snapshot()
    await context.media.store([await upload(place)], postImageSizes, async (pictures) => {
      await transaction(db, (tx) =>
        tx
          .updateTable('loose_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await transaction(db, async (tx) => {
        await create({ ...asMember(context, Ann.id), db: tx }, { ...given, pictures })
        sweeping = outside(() => rival.sweep())
        // SQLite has one transaction at a time; PostgreSQL holds the row.
        const held = sql<{
          n: number
        }>`select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        if (kind.dialect === 'postgres')
          await vi.waitFor(async () => {
            await sql`select pg_stat_clear_snapshot()`.execute(tx)
            expect((await held.execute(tx)).rows[0]!.n).toBe(1)
          }, 30_000)
      })
    })
    await sweeping
    expect(await place.kept()).toHaveLength(1)
    await expectWhole(place)
  })

  test('that was recorded stays where the answer to the commit was lost', async () => {
    const place = await open(kind)
    const lost = place.context.media.store([await upload(place)], postImageSizes, async (pictures) => {
      await create(asMember(place.context, place.Ann.id), { ...given, pictures })
      throw new Error('Connection terminated')
    })
    await expect(lost).rejects.toThrow('Connection terminated')
    expect(await place.kept()).toHaveLength(1)
    await expectWhole(place)
  })

  test('that nobody recorded goes', async () => {
    const place = await open(kind)
    expect(
      await place.context.media.store([await upload(place)], postImageSizes, async () => 'nothing'),
    ).toBe('nothing')
    expect(await place.kept()).toEqual([])
    await expectWhole(place)
  })

  test('of which an older version kept one copy for two posts goes with the second', async () => {
    const place = await open(kind)
    const [first, second] = [await place.post(), await place.post()]
    const shared = nameOf(first.images[0].path)
    await transaction(place.db, (tx) =>
      tx.updateTable('post_images').set({ media: shared }).where('post_id', '=', second.id).execute(),
    )
    await transaction(place.db, (tx) =>
      tx
        .insertInto('unshown_media')
        .values({ name: nameOf(second.images[0].path) })
        .execute(),
    )
    expect((await place.Ann.delete(`/api/posts/${first.id}`)).status).toBe(200)
    expect((await place.Ann.get(first.images[0].path)).status).toBe(200)
    await place.context.media.sweep()
    expect(await place.kept()).toHaveLength(2)
    await expectWhole(place)
    expect((await place.Ann.delete(`/api/posts/${second.id}`)).status).toBe(200)
    expect(await place.kept()).toEqual([])
    await expectWhole(place)
  })
})

test('scratch is emptied by a process that is alone, and of what is a day old by one that is not', async () => {
  const place = await open({})
  const scratch = join(place.folder, 'scratch')
  for (const name of ['new', 'old']) await writeFile(join(scratch, name), 'x')
  await utimes(join(scratch, 'old'), new Date(), new Date(Date.now() - 25 * HOUR))
  await (await another(place)).sweep()
  expect(await readdir(scratch)).toEqual(['new'])
  await place.context.media.sweep()
  expect(await readdir(scratch)).toEqual([])
})
