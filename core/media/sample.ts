import { randomBytes } from 'node:crypto'
import type { Db } from '#core/database/database.ts'
import { forEachConcurrently } from '#core/locks.ts'
import { hasMediaRow } from '#core/media/lifecycle.ts'
import { selectMediaWithFiles } from '#core/media/references.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { listStorageNamesOfMediaItem } from '#core/media/stored-names.ts'

const SAMPLE_SIZE = 12
const CONCURRENCY = 4

/**
 * Looks in the storage for the files of some pictures and other files that the database names. Returns how
 * many it looked for, and how many of them lack a file.
 */
export async function countMissingInMediaSample(db: Db, storage: Pick<MediaStorage, 'has'>) {
  const rows = await selectSample(db)
  let missing = 0
  await forEachConcurrently(rows, CONCURRENCY, async ({ name, widths }) => {
    for (const file of listStorageNamesOfMediaItem(name, widths)) {
      if (await storage.has(file)) continue
      // Does not count a picture that was deleted meanwhile.
      if (await hasMediaRow(db, name)) missing++
      return
    }
  })
  return { looked: rows.length, missing }
}

/** Selects random rows of `media` by its primary key: names are random, so neighbours are strangers. */
async function selectSample(db: Db) {
  const rows = selectMediaWithFiles(db).select(['name', 'widths']).limit(SAMPLE_SIZE)
  const from = randomBytes(20).toString('hex')
  const [after, before] = [
    await rows.where('name', '>=', from).orderBy('name').execute(),
    await rows.where('name', '<', from).orderBy('name', 'desc').execute(),
  ]
  return [...after, ...before].slice(0, SAMPLE_SIZE)
}
