import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { createMedia } from '#core/media/media.ts'
import { createTestApp, readRows } from '#tests/harness.ts'

const picture: Picture = {
  name: '0'.repeat(40),
  widths: [320],
  width: 320,
  height: 200,
  placeholder: '',
  animated: false,
  bytes: 1,
}

async function open(singleProcess: boolean) {
  const { db, files, folder } = await createTestApp()
  const logged: unknown[][] = []
  const log = { warn: (...line: unknown[]) => void logged.push(line) } as unknown as FastifyBaseLogger
  const media = createMedia(db, files, { dataFolder: folder, origin: '', singleProcess }, log)
  onTestFinished(() => media.close())
  return { db, folder, media, logged }
}

test('a start logs how many files it moved to and from orphans', async () => {
  const { folder, media, logged } = await open(true)
  await media.cleanUp()
  expect(logged).toEqual([])
  await writeFile(join(folder, 'media', `${picture.name}-320.webp`), 'x')
  await media.cleanUp()
  expect(logged).toEqual([[{ aside: 1, back: 0 }, expect.stringContaining('orphans')]])
  expect(await readdir(join(folder, 'orphans'))).toEqual([`${picture.name}-320.webp`])
})

test('with several processes, none moves orphans', async () => {
  const { folder, media } = await open(false)
  await writeFile(join(folder, 'media', `${picture.name}-320.webp`), 'x')
  expect(await media.cleanUp()).toEqual({ aside: 0, back: 0 })
  expect(await readdir(join(folder, 'media'))).toEqual([`${picture.name}-320.webp`])
})

test('a failed cleanup is logged, and the next cleanup deletes the remaining files', async () => {
  const { db, folder, media, logged } = await open(true)
  await lifecycle.insertPending(db, picture)
  // Creates a folder with the name of a picture file, because deleting it as a file fails.
  const blocked = join(folder, 'media', `${picture.name}-320.webp`)
  await mkdir(blocked)
  await media.cleanUp()
  expect(logged[0]).toEqual([{ err: expect.any(Error) }, expect.stringContaining('could not be removed')])
  expect(await readRows(db, 'pending_media')).toMatchObject([{ name: picture.name, is_deleting: 1 }])
  await rmdir(join(folder, 'orphans', `${picture.name}-320.webp`))
  await media.cleanUp()
  expect(await readRows(db, 'pending_media')).toEqual([])
})

// @ts-expect-error: lifecycle.attachPicture takes a Tx, because it runs in the transaction that adds the
// reference
void ((db: Db) => lifecycle.attachPicture(db, picture, 1))
