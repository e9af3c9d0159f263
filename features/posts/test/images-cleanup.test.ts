import { AsyncLocalStorage } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { createMedia } from '#core/media/media.ts'
import { eventually } from '#tests/eventually.ts'
import {
  createTestApp,
  dialectsInTurn,
  formData,
  readRows,
  storageKinds,
  type TestApp,
  type TestAppOptions,
} from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import * as model from '../model.ts'
import { imageWidths } from '../read-images.ts'

const nameOf = (path: string) => path.split('/').at(-1)!.split('-')[0]!
const HOUR = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function open(options: TestAppOptions) {
  const testApp = await createTestApp(options)
  const { Ann } = await testApp.members('Ann')
  const picture = uploadFile(await fourColours(400, 200).png().toBuffer(), 'a.png')
  const post = async () => (await Ann.post('/api/posts', formData({}, { 'images[]': [picture] }))).body.post
  return { ...testApp, Ann, post }
}

/** Creates the media service of a second process that uses the same database and the same files. */
async function openSecondProcess({ db, files, folder, app }: TestApp) {
  const media = createMedia(db, files, { dataFolder: folder, origin: '', singleProcess: false }, app.log)
  onTestFinished(() => media.close())
  return media
}

/**
 * Expects that the stored files are exactly those of the rows in the table `media`, and that no picture waits
 * for its deletion.
 */
async function expectConsistentMedia({ db, mediaFiles }: TestApp) {
  const rows = (await readRows(db, 'media')) as { name: string; widths: string }[]
  const files = rows.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`))
  expect(await mediaFiles()).toEqual(files.sort())
  for (const table of ['unreferenced_media', 'pending_media'])
    expect(await readRows(db, table), table).toEqual([])
}

const kinds = dialectsInTurn().flatMap((dialect) => storageKinds.map((storage) => ({ dialect, storage })))

describe.each(kinds)('leftovers of a killed process on $dialect and $storage', (kind) => {
  test('from before, during and after the writing of files are removed at the next start', async () => {
    const app = await open(kind)
    const shown = await app.post()
    const [none, some, all] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string]
    const since = new Date().toISOString()
    const rows = [none, some, all].map((name) => ({ name, widths: '320,400', since, is_deleting: 0 }))
    await transaction(app.db, (tx) => tx.insertInto('pending_media').values(rows).execute())
    for (const file of [`${some}-320.webp`, `${all}-320.webp`, `${all}-400.webp`])
      await app.files.write(file, Buffer.from('x'))
    await app.context.media.cleanUp()
    // With a bucket, the rows stay in `pending_media` and a later clean-up deletes the files again, because
    // an upload may still finish later.
    if (kind.storage === 's3') {
      expect(await readRows(app.db, 'pending_media')).toHaveLength(3)
      await app.files.write(`${none}-320.webp`, Buffer.from('x'))
      await transaction(app.db, (tx) =>
        tx
          .updateTable('pending_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await (await openSecondProcess(app)).cleanUp()
    }
    await expectConsistentMedia(app)
    expect(await app.Ann.get(shown.images[0].path)).toMatchObject({ status: 200 })
  })

  test('of a deleted post are removed: its rows, and its files, some of which are already missing', async () => {
    const testApp = await open(kind)
    const [first, second, stays] = [await testApp.post(), await testApp.post(), await testApp.post()]
    for (const { id } of [first, second])
      await model.remove({ ...withoutRoles(testApp.context, testApp.Ann.id), session: { token: '' } }, id)
    await testApp.files.remove(`${nameOf(first.images[0].path)}-320.webp`)
    expect(await readRows(testApp.db, 'unreferenced_media')).toHaveLength(2)
    await testApp.context.media.cleanUp()
    await expectConsistentMedia(testApp)
    expect(await testApp.Ann.get(stays.images[0].path)).toMatchObject({ status: 200 })
  })

  test('are kept by other processes for as long as an upload may take', async () => {
    const testApp = await open(kind)
    const [young, old] = ['1'.repeat(40), '2'.repeat(40)] as const
    const rows = [
      { name: young, widths: '320', since: ago(60_000), is_deleting: 0 },
      { name: old, widths: '320', since: ago(HOUR), is_deleting: 0 },
    ]
    await transaction(testApp.db, (tx) => tx.insertInto('pending_media').values(rows).execute())
    for (const { name } of rows) await testApp.files.write(`${name}-320.webp`, Buffer.from('x'))
    await (await openSecondProcess(testApp)).cleanUp()
    expect(await testApp.mediaFiles()).toEqual([`${young}-320.webp`])
    expect(await readRows(testApp.db, 'pending_media')).toMatchObject([{ name: young, is_deleting: 0 }])
  })

  test('are searched for every ten minutes', async () => {
    const testApp = await open(kind)
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await openSecondProcess(testApp)
    await transaction(testApp.db, (tx) =>
      tx
        .insertInto('pending_media')
        .values({ name: 'x', widths: '320', since: ago(HOUR), is_deleting: 1 })
        .execute(),
    )
    vi.advanceTimersByTime(599_000)
    expect(await readRows(testApp.db, 'pending_media')).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    await expect.poll(() => readRows(testApp.db, 'pending_media')).toEqual([])
  })
})

describe.each(kinds)('a picture on $dialect and $storage', (kind) => {
  const upload = async ({ folder, context }: TestApp) => {
    const file = join(folder, 'a.png')
    await writeFile(file, await fourColours().png().toBuffer())
    return context.media.receive({ field: 'images', filename: 'a.png' }, createReadStream(file))
  }
  const given = { body: 'Look!', descriptions: [] }

  test('whose upload took so long that its files were removed is refused, and nothing is stored', async () => {
    const testApp = await open(kind)
    const rival = await openSecondProcess(testApp)
    const late = testApp.context.media.store([await upload(testApp)], imageWidths, async (pictures) => {
      await transaction(testApp.db, (tx) =>
        tx
          .updateTable('pending_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await rival.cleanUp()
      return model.create(withoutRoles(testApp.context, testApp.Ann.id), {
        ...given,
        pictures,
      })
    })
    await expect(late).rejects.toMatchObject({ status: 503 })
    expect(await readRows(testApp.db, 'posts')).toEqual([])
    await expectConsistentMedia(testApp)
  })

  test('whose files are being removed cannot be attached', async () => {
    const testApp = await open(kind)
    const late = testApp.context.media.store([await upload(testApp)], imageWidths, async (pictures) => {
      await transaction(testApp.db, (tx) => tx.updateTable('pending_media').set({ is_deleting: 1 }).execute())
      return model.create(withoutRoles(testApp.context, testApp.Ann.id), {
        ...given,
        pictures,
      })
    })
    await expect(late).rejects.toMatchObject({ status: 503 })
    await expectConsistentMedia(testApp)
  })

  test('that is being attached makes the clean-up wait, and stays', async () => {
    const testApp = await open(kind)
    const { db, context, Ann } = testApp
    const rival = await openSecondProcess(testApp)
    let cleaningUp: Promise<unknown> | undefined
    const outside = AsyncLocalStorage.snapshot()
    await context.media.store([await upload(testApp)], imageWidths, async (pictures) => {
      await transaction(db, (tx) =>
        tx
          .updateTable('pending_media')
          .set({ since: ago(HOUR) })
          .execute(),
      )
      await transaction(db, async (tx) => {
        await model.create({ ...withoutRoles(context, Ann.id), db: tx }, { ...given, pictures })
        cleaningUp = outside(() => rival.cleanUp())
        // On PostgreSQL, waits until the clean-up of the other process waits for the lock of the row. On
        // SQLite the clean-up cannot begin yet, because SQLite runs one transaction at a time.
        const held = sql<{
          n: number
        }>`select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        if (kind.dialect === 'postgres')
          await eventually(async () => {
            await sql`select pg_stat_clear_snapshot()`.execute(tx)
            expect((await held.execute(tx)).rows[0]!.n).toBe(1)
          })
      })
    })
    await cleaningUp
    expect(await testApp.mediaFiles()).toHaveLength(1)
    await expectConsistentMedia(testApp)
  })

  test('that was attached stays when the response to the commit is lost', async () => {
    const testApp = await open(kind)
    const lost = testApp.context.media.store([await upload(testApp)], imageWidths, async (pictures) => {
      await model.create(withoutRoles(testApp.context, testApp.Ann.id), {
        ...given,
        pictures,
      })
      throw new Error('Connection terminated')
    })
    await expect(lost).rejects.toThrow('Connection terminated')
    expect(await testApp.mediaFiles()).toHaveLength(1)
    await expectConsistentMedia(testApp)
  })

  test('that was not attached is deleted', async () => {
    const testApp = await open(kind)
    expect(
      await testApp.context.media.store([await upload(testApp)], imageWidths, async () => 'nothing'),
    ).toBe('nothing')
    expect(await testApp.mediaFiles()).toEqual([])
    await expectConsistentMedia(testApp)
  })

  test('that an older release shared between two posts is deleted with the second post', async () => {
    const testApp = await open(kind)
    const [first, second] = [await testApp.post(), await testApp.post()]
    const shared = nameOf(first.images[0].path)
    await transaction(testApp.db, (tx) =>
      tx.updateTable('post_attachments').set({ media: shared }).where('post_id', '=', second.id).execute(),
    )
    await transaction(testApp.db, (tx) =>
      tx
        .insertInto('unreferenced_media')
        .values({ name: nameOf(second.images[0].path), token: '' })
        .execute(),
    )
    expect((await testApp.Ann.delete(`/api/posts/${first.id}`)).status).toBe(200)
    expect((await testApp.Ann.get(first.images[0].path)).status).toBe(200)
    await testApp.context.media.cleanUp()
    expect(await testApp.mediaFiles()).toHaveLength(2)
    await expectConsistentMedia(testApp)
    expect((await testApp.Ann.delete(`/api/posts/${second.id}`)).status).toBe(200)
    expect(await testApp.mediaFiles()).toEqual([])
    await expectConsistentMedia(testApp)
  })
})

test('a single process empties scratch; one of several deletes only files older than a day', async () => {
  const testApp = await open({})
  const scratch = join(testApp.folder, 'scratch')
  for (const name of ['new', 'old']) await writeFile(join(scratch, name), 'x')
  await utimes(join(scratch, 'old'), new Date(), new Date(Date.now() - 25 * HOUR))
  await (await openSecondProcess(testApp)).cleanUp()
  expect(await readdir(scratch)).toEqual(['new'])
  await testApp.context.media.cleanUp()
  expect(await readdir(scratch)).toEqual([])
})
