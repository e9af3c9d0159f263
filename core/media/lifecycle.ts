import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { isForeignKeyViolation } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'

// A picture has these states: uploaded → pending → attached → unreferenced → deleting → deleted.
// docs/media.md says which transaction changes each state, what a crash leaves, and who cleans it up.

/**
 * The maximum number of rows that one statement inserts. Databases limit the number of parameters of a
 * statement.
 */
const INSERT_BATCH = 1000

export const toPictureFileName = (name: string, width: number | string) => `${name}-${width}.webp`

/**
 * Changes a picture from uploaded to pending. The caller writes the files afterwards, so every file in the
 * storage is named by a row.
 */
export const insertPendingPictureRow = (db: Db, { name, widths }: PictureMetadata) =>
  transaction(db, (tx) =>
    tx
      .insertInto('pending_media')
      .values({ name, widths: widths.join(','), since: currentIsoTime(), is_deleting: 0 })
      .execute(),
  )

/**
 * Changes a picture from pending to attached, in the transaction that adds the reference to it. The picture
 * counts in the storage quota of `owner_id`; null for a picture that belongs to no member. Throws 503 if
 * the deletion of the picture has begun. Without a guard (core/media/guards.ts) the picture is public.
 */
export async function attachPicture(
  tx: Tx,
  { animated, widths, ...picture }: PictureMetadata,
  owner_id: number | null,
  guard: string | null = null,
) {
  const { numDeletedRows } = await tx
    .deleteFrom('pending_media')
    .where('name', '=', picture.name)
    .where('is_deleting', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw httpErrors.notStored()
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
}

/**
 * Changes who may see attached pictures: those whom the guard allows, or everybody without a guard. Copies in
 * caches of browsers and proxies stay.
 */
export const changePictureGuard = async (tx: Tx, names: readonly string[], guard: string | null) => {
  if (names.length) await tx.updateTable('media').set({ guard }).where('name', 'in', names).execute()
}

export const hasAttachedPictureRow = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/**
 * Returns the sum of the bytes of these pictures. Counts only attached and unreferenced pictures, which
 * have a row in `media`.
 */
export async function sumPictureBytes(db: Db, names: readonly string[]) {
  if (!names.length) return 0
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where('name', 'in', names)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/**
 * Adds pictures to `unreferenced_media`, in the transaction that removes a reference to them. From then on
 * they do not count in the storage quota of a member.
 */
export async function markPicturesUnreferenced(tx: Tx, names: readonly string[]) {
  const all = [...new Set(names)]
  for (let first = 0; first < all.length; first += INSERT_BATCH) {
    const batch = all.slice(first, first + INSERT_BATCH)
    await tx
      .insertInto('unreferenced_media')
      .values(batch.map((name) => ({ name })))
      .onConflict((c) => c.doNothing())
      .execute()
    await tx.updateTable('media').set({ owner_id: null }).where('name', 'in', batch).execute()
  }
}

/**
 * Deletes an unreferenced picture and its files. If another row still refers to the picture, the picture
 * becomes attached again instead.
 */
export async function deleteUnreferencedPicture(db: Db, storage: MediaStorage, name: string) {
  const isDeleting = await markDeleting(db, name).catch(async (error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    await transaction(db, (tx) => tx.deleteFrom('unreferenced_media').where('name', '=', name).execute())
    return false
  })
  if (isDeleting) await deletePendingPicture(db, storage, name)
}

/** Changes a picture from unreferenced to deleting. Returns false if the picture is deleted already. */
const markDeleting = (db: Db, name: string) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('unreferenced_media').where('name', '=', name).execute()
    const row = await tx
      .deleteFrom('media')
      .where('name', '=', name)
      .returning(['name', 'widths'])
      .executeTakeFirst()
    if (!row) return false
    await tx
      .insertInto('pending_media')
      .values({ ...row, since: currentIsoTime(), is_deleting: 1 })
      .execute()
    return true
  })

/**
 * Deletes a pending picture and its files. Returns false if the picture is attached or already deleted. With
 * `mayStillArrive` the row stays, and a later cleanup deletes the files once more, because a bucket may still
 * store a file that was sent to it.
 */
export async function deletePendingPicture(
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
  await deletePictureFiles(storage, name, row.widths.split(','))
  if (!mayStillArrive)
    await transaction(db, (tx) => tx.deleteFrom('pending_media').where('name', '=', name).execute())
  return true
}

export const deletePictureFiles = (
  storage: MediaStorage,
  name: string,
  widths: readonly (number | string)[],
) => Promise.all(widths.map((width) => storage.remove(toPictureFileName(name, width))))
