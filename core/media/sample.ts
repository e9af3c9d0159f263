import { randomBytes } from 'node:crypto'
import type { Db } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { selectWithFiles } from '#core/media/references.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { eachConcurrently } from '#core/process/locks.ts'

const SAMPLE_SIZE = 12
const CONCURRENCY = 4

/** How many of some random pictures and files it looked for, and how many lack a file. */
export async function countMissing(db: Db, storage: Pick<MediaStorage, 'has'>) {
  const rows = await selectSample(db)
  let missing = 0
  await eachConcurrently(rows, CONCURRENCY, async ({ name, widths }) => {
    for (const file of storedNames.list(name, widths)) {
      if (await storage.has(file)) continue
      // A picture may have been deleted meanwhile.
      if (await lifecycle.hasRow(db, name)) missing++
      return
    }
  })
  return { looked: rows.length, missing }
}

/** By the primary key: names are random, so neighbours are strangers. */
async function selectSample(db: Db) {
  const rows = selectWithFiles(db).select(['name', 'widths']).limit(SAMPLE_SIZE)
  const from = randomBytes(20).toString('hex')
  const [after, before] = [
    await rows.where('name', '>=', from).orderBy('name').execute(),
    await rows.where('name', '<', from).orderBy('name', 'desc').execute(),
  ]
  return [...after, ...before].slice(0, SAMPLE_SIZE)
}
