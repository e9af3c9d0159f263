import { randomBytes } from 'node:crypto'
import { OperatorError } from '#core/config.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { countMissing } from '#core/media/sample.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'

// The first start writes a random id to the storage and to the table `secrets`. So a later start knows a
// folder that is empty because its disk is not mounted, and a process knows that another one has its pictures
// elsewhere.

const ROW = 'MEDIA_STORAGE'
/** From so many pictures on, the lack of all means a wrong storage, not single lost files. */
const MIN_SAMPLE = 3

/** Null before the first start of this version, and after a restore. */
const readExpectedId = async (db: Db) =>
  (await db.selectFrom('secrets').select('value').where('name', '=', ROW).executeTakeFirst())?.value ?? null

const readId = async (storage: Pick<MediaStorage, 'read'>) =>
  (await storage.read(storedNames.MARKER))?.toString('utf8').trim() ?? null

export async function matches(db: Db, storage: Pick<MediaStorage, 'read'>) {
  const expected = await readExpectedId(db)
  return expected === null || expected === (await readId(storage))
}

/**
 * Throws OperatorError for the storage of another community, or one that lacks all pictures of a community
 * without an id; otherwise marks it. With only one or two pictures, all missing, it warns and marks nothing,
 * so that a folder that was only not mounted is accepted later.
 */
export const markOrRefuse = (db: Db, storage: MediaStorage) =>
  transaction(db, async (tx) => {
    // Only one of the processes that start together marks the storage.
    await lockName(tx, ROW)
    const [expected, found] = [await readExpectedId(tx), await readId(storage)]
    if (expected !== null && expected === found) return
    if (expected !== null)
      throw createRefusal(
        storage,
        found === null ? `has no file \`${storedNames.MARKER}\`` : 'is another one',
      )
    const { looked, missing } = await countMissing(tx, storage)
    if (looked === 0 || missing < looked) return mark(tx, storage, found)
    if (looked >= MIN_SAMPLE) throw createRefusal(storage, 'lacks its pictures')
    tx.afterCommit(() =>
      console.warn(`All ${looked} pictures are missing in ${storage.folder ?? 'the bucket of MEDIA_URL'}.`),
    )
  })

/** Takes it as the community's, whatever it holds. */
export const accept = (db: Db, storage: MediaStorage) =>
  transaction(db, async (tx) => {
    await lockName(tx, ROW)
    await tx.deleteFrom('secrets').where('name', '=', ROW).execute()
    await mark(tx, storage, await readId(storage))
  })

async function mark(tx: Tx, storage: MediaStorage, found: string | null) {
  const value = found ?? randomBytes(20).toString('hex')
  // Before the commit: the next start takes over the id of a storage without a row.
  if (found === null) await storage.write(storedNames.MARKER, Buffer.from(`${value}\n`))
  await tx.insertInto('secrets').values({ name: ROW, value }).execute()
}

const createRefusal = ({ folder }: MediaStorage, finding: string) =>
  new OperatorError(
    folder === null
      ? `MEDIA_URL takes the bucket with the pictures of this community: the one it names ${finding}. ` +
          'If that is right, run `engawa pictures accept`.'
      : 'MEDIA_URL is needed where processes do not share one DATA_DIR, and one process needs the folder ' +
          `with the pictures of this community: ${folder} ${finding}. Mount or restore it; ` +
          'if it is right, run `engawa pictures accept`.',
  )
