import { randomUUID } from 'node:crypto'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { isForeignKeyViolation } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { listStorageNamesOfMediaItem } from '#core/media/stored-names.ts'

// A picture, or a file that is stored as it was uploaded, has these states:
// uploaded → pending → attached → unreferenced → deleting → deleted.
// docs/media.md says which transaction changes each state, what a crash leaves, and who cleans it up.

/**
 * The maximum number of rows that one statement inserts. Databases limit the number of parameters of a
 * statement.
 */
const INSERT_BATCH = 1000

/**
 * Changes a picture or file from uploaded to pending. The caller writes the files only after that, so that
 * each file in the storage belongs to a row.
 */
export const insertPendingMediaRow = (
  db: Db,
  { name, widths = [] }: { name: string; widths?: readonly number[] },
) =>
  transaction(db, (tx) =>
    tx
      .insertInto('pending_media')
      .values({ name, widths: widths.join(','), since: currentIsoTime(), is_deleting: 0 })
      .execute(),
  )

/**
 * Changes a picture from pending to attached, in the transaction that adds the reference to it. The picture
 * counts in the storage quota of `owner_id`; null for a picture that belongs to no member. Throws 503 if
 * the deletion of the picture has begun. Without a guard (core/media/guards.ts) the picture is public. A
 * picture with a `source` was never pending, because it has no files.
 */
export async function markPictureAttached(
  tx: Tx,
  { animated, widths, source, ...picture }: PictureMetadata,
  owner_id: number | null,
  guard: string | null = null,
) {
  if (!source) await deletePendingRow(tx, picture.name)
  await tx
    .insertInto('media')
    .values({
      ...picture,
      widths: widths.join(','),
      animated: Number(animated),
      created_at: currentIsoTime(),
      guard,
      owner_id,
    })
    .execute()
  await insertSource(tx, picture.name, source)
}

/**
 * Changes a file that is stored as it was uploaded from pending to attached, in the same way as
 * `markPictureAttached`.
 */
export async function markNonPictureFileAttached(
  tx: Tx,
  { source, ...file }: NonPictureFileMetadata,
  owner_id: number,
  guard: string,
) {
  if (!source) await deletePendingRow(tx, file.name)
  const noPicture = { widths: '', width: 0, height: 0, placeholder: '', animated: 0 }
  await tx
    .insertInto('media')
    .values({ ...file, ...noPicture, created_at: currentIsoTime(), guard, owner_id })
    .execute()
  await insertSource(tx, file.name, source)
}

/** Throws 503 if the source was deleted meanwhile. */
async function insertSource(tx: Tx, name: string, source: string | undefined) {
  if (!source) return
  await tx
    .insertInto('media_sources')
    .values({ name, source })
    .execute()
    .catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? httpErrorFactories.notShown() : error
    })
}

async function deletePendingRow(tx: Tx, name: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('pending_media')
    .where('name', '=', name)
    .where('is_deleting', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw httpErrorFactories.notStored()
}

/**
 * Changes who may see attached pictures: those whom the guard allows, or everybody without a guard. Copies in
 * caches of browsers and proxies stay.
 */
export const setMediaGuardOfPictures = async (tx: Tx, names: readonly string[], guard: string | null) => {
  if (names.length) await tx.updateTable('media').set({ guard }).where('name', 'in', names).execute()
}

export const hasMediaRow = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/**
 * Returns the sum of the bytes of these pictures and files. Counts only attached and unreferenced ones,
 * which have a row in `media`.
 */
export async function sumBytesOfMediaWithNames(db: Db, names: readonly string[]) {
  if (!names.length) return 0
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where('name', 'in', names)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/**
 * Adds pictures and files to `unreferenced_media`, in the transaction that removes a reference to them.
 * From then on they do not count in the storage quota of a member.
 */
export async function markMediaUnreferenced(tx: Tx, names: readonly string[]) {
  const all = [...new Set(names)]
  for (let first = 0; first < all.length; first += INSERT_BATCH) {
    const batch = all.slice(first, first + INSERT_BATCH)
    await queueDeletion(tx, batch)
    await tx.updateTable('media').set({ owner_id: null }).where('name', 'in', batch).execute()
  }
}

const queueDeletion = (tx: Tx, names: readonly string[]) =>
  tx
    .insertInto('unreferenced_media')
    .values(names.map((name) => ({ name, token: randomUUID() })))
    .onConflict((c) => c.column('name').doUpdateSet((q) => ({ token: q.ref('excluded.token') })))
    .execute()

/**
 * Deletes an unreferenced picture or file: its rows, and its files in the storage. If another row still
 * refers to the picture or file, it stays, and is queued again with the last of these.
 */
export async function deleteOneUnreferencedMediaItem(db: Db, storage: MediaStorage, name: string) {
  const queued = await db
    .selectFrom('unreferenced_media')
    .select('token')
    .where('name', '=', name)
    .executeTakeFirst()
  const deleted = await markDeleting(db, name).catch(async (error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    if (queued) await leaveAttached(db, name, queued.token)
    return null
  })
  if (deleted?.source) await deleteOneUnreferencedMediaItem(db, storage, deleted.source)
  else if (deleted) await deleteOnePendingMediaItem(db, storage, name)
}

/** Takes a name out of the queue, unless a reference was removed since `token` was read. */
const leaveAttached = (db: Db, name: string, token: string) =>
  transaction(db, (tx) =>
    tx.deleteFrom('unreferenced_media').where('name', '=', name).where('token', '=', token).execute(),
  )

/**
 * Deletes the row of an unreferenced picture or file; returns null if it is deleted already. Its files are
 * pending then. If it shows the files of a `source`, that row is queued instead.
 */
const markDeleting = (db: Db, name: string) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('unreferenced_media').where('name', '=', name).execute()
    const reference = await tx
      .deleteFrom('media_sources')
      .where('name', '=', name)
      .returning('source')
      .executeTakeFirst()
    const row = await tx.deleteFrom('media').where('name', '=', name).returning('widths').executeTakeFirst()
    if (!row) return null
    if (reference) await queueDeletion(tx, [reference.source])
    else
      await tx
        .insertInto('pending_media')
        .values({ name, widths: row.widths, since: currentIsoTime(), is_deleting: 1 })
        .execute()
    return { source: reference?.source }
  })

/**
 * Deletes a pending picture or file: its row, and its files in the storage. Returns false if it is attached
 * or already deleted. With `mayStillArrive` the row stays, and a later cleanup deletes the files once more,
 * because a bucket may still store a file that was sent to it.
 */
export async function deleteOnePendingMediaItem(
  db: Db,
  storage: MediaStorage,
  name: string,
  mayStillArrive = false,
) {
  const row = await transaction(db, (tx) =>
    tx
      .updateTable('pending_media')
      .set({ is_deleting: 1 })
      .where('name', '=', name)
      .returning('widths')
      .executeTakeFirst(),
  )
  if (!row) return false
  await deleteFilesOfMediaItemFromStorage(storage, name, row.widths)
  if (!mayStillArrive)
    await transaction(db, (tx) => tx.deleteFrom('pending_media').where('name', '=', name).execute())
  return true
}

export const deleteFilesOfMediaItemFromStorage = (storage: MediaStorage, name: string, widths: string) =>
  Promise.all(listStorageNamesOfMediaItem(name, widths).map((file) => storage.remove(file)))
