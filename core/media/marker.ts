import { randomBytes } from 'node:crypto'
import { OperatorError } from '#core/config.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import { countMissingInMediaSample } from '#core/media/sample.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { MARKER_STORAGE_NAME } from '#core/media/stored-names.ts'

// The first start writes a random id to the storage of pictures and to the table `secrets`. So a later start
// knows a folder that is empty because its disk is not mounted, and a process knows that another one has
// its pictures elsewhere.

const ROW = 'MEDIA_STORAGE'
/** The number of pictures from which on the lack of all means a wrong storage, and not single lost files. */
const MIN_SAMPLE = 3

/** Reads the id in the database; null before the first start of this version, and after a restore. */
const readExpectedId = async (db: Db) =>
  (await db.selectFrom('secrets').select('value').where('name', '=', ROW).executeTakeFirst())?.value ?? null

const readId = async (storage: Pick<MediaStorage, 'read'>) =>
  (await storage.read(MARKER_STORAGE_NAME))?.toString('utf8').trim() ?? null

/** Whether the storage is the one that the community of `db` uses. */
export async function isStorageOfCommunity(db: Db, storage: Pick<MediaStorage, 'read'>) {
  const expected = await readExpectedId(db)
  return expected === null || expected === (await readId(storage))
}

/**
 * Throws OperatorError if the storage is not the one that the community of `db` uses, or if it lacks all
 * pictures of a community that has no id yet. Otherwise marks the storage, if it is not marked yet. If a
 * community has only one or two pictures and lacks them, warns and leaves the storage unmarked, so that a
 * folder that was only not mounted is still accepted later.
 */
export const markOrRefuseStorage = (db: Db, storage: MediaStorage) =>
  transaction(db, async (tx) => {
    // Lets only one of the processes that start together mark the storage.
    await acquireNamedTransactionLock(tx, ROW)
    const [expected, found] = [await readExpectedId(tx), await readId(storage)]
    if (expected !== null && expected === found) return
    if (expected !== null)
      throw createRefusal(
        storage,
        found === null ? `has no file \`${MARKER_STORAGE_NAME}\`` : 'is another one',
      )
    const { looked, missing } = await countMissingInMediaSample(tx, storage)
    if (looked === 0 || missing < looked) return mark(tx, storage, found)
    if (looked >= MIN_SAMPLE) throw createRefusal(storage, 'lacks its pictures')
    tx.afterCommit(() =>
      console.warn(`All ${looked} pictures are missing in ${storage.folder ?? 'the bucket of MEDIA_URL'}.`),
    )
  })

/** Takes the storage as that of the community from now on, whatever it holds. */
export const acceptStorage = (db: Db, storage: MediaStorage) =>
  transaction(db, async (tx) => {
    await acquireNamedTransactionLock(tx, ROW)
    await tx.deleteFrom('secrets').where('name', '=', ROW).execute()
    await mark(tx, storage, await readId(storage))
  })

async function mark(tx: Tx, storage: MediaStorage, found: string | null) {
  const value = found ?? randomBytes(20).toString('hex')
  // Writes the file before the commit: the next start takes over the id of a storage without a row.
  if (found === null) await storage.write(MARKER_STORAGE_NAME, Buffer.from(`${value}\n`))
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
