import { type Db, now, type Tx } from '#core/database/database.ts'
import { isForeignKeyViolation } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'
import { errors } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'

// The states of a picture: uploaded → pending → attached → unreferenced → deleting → deleted.
// docs/media.md says which transaction changes each of them, what a crash leaves, and who cleans it up.

export const fileName = (name: string, width: number | string) => `${name}-${width}.webp`

/** uploaded → pending. The caller writes the files afterwards: so a row names every file in the storage. */
export const addPending = (db: Db, { name, widths }: Picture) =>
  transaction(db, (tx) =>
    tx
      .insertInto('loose_media')
      .values({ name, widths: widths.join(','), since: now(), going: 0 })
      .execute(),
  )

/**
 * pending → attached, in the transaction that adds the reference. Throws 503 where it is deleting. Without a
 * guard (core/media/guards.ts) the picture is public.
 */
export async function attach(tx: Tx, { animated, widths, ...picture }: Picture, guard: string | null = null) {
  const { numDeletedRows } = await tx
    .deleteFrom('loose_media')
    .where('name', '=', picture.name)
    .where('going', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw errors.notStored()
  await tx
    .insertInto('media')
    .values({ ...picture, widths: widths.join(','), animated: Number(animated), created_at: now(), guard })
    .execute()
}

export const isAttached = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** attached → unreferenced, in the transaction that removes the reference. */
export async function detach(tx: Tx, names: readonly string[]) {
  if (!names.length) return
  await tx
    .insertInto('unshown_media')
    .values([...new Set(names)].map((name) => ({ name })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** unreferenced → deleted. A picture that another row still refers to becomes attached again. */
export async function deleteUnreferenced(db: Db, storage: MediaStorage, name: string) {
  const isDeleting = await markUnreferenced(db, name).catch(async (error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    await transaction(db, (tx) => tx.deleteFrom('unshown_media').where('name', '=', name).execute())
    return false
  })
  if (isDeleting) await deletePending(db, storage, name)
}

/** unreferenced → deleting. False where the picture is deleted already. */
const markUnreferenced = (db: Db, name: string) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('unshown_media').where('name', '=', name).execute()
    const row = await tx
      .deleteFrom('media')
      .where('name', '=', name)
      .returning(['name', 'widths'])
      .executeTakeFirst()
    if (!row) return false
    await tx
      .insertInto('loose_media')
      .values({ ...row, since: now(), going: 1 })
      .execute()
    return true
  })

/**
 * pending → deleting → deleted. False where the picture is attached or deleted already. With `mayArrive` the
 * row stays, and a sweep deletes the files once more: a bucket may still store a file that was sent to it.
 */
export async function deletePending(db: Db, storage: MediaStorage, name: string, mayArrive = false) {
  const row = await transaction(db, (tx) =>
    tx
      .updateTable('loose_media')
      .set({ going: 1 })
      .where('name', '=', name)
      .returning('widths')
      .executeTakeFirst(),
  )
  if (!row) return false
  await deleteFiles(storage, name, row.widths.split(','))
  if (!mayArrive)
    await transaction(db, (tx) => tx.deleteFrom('loose_media').where('name', '=', name).execute())
  return true
}

export const deleteFiles = (storage: MediaStorage, name: string, widths: readonly (number | string)[]) =>
  Promise.all(widths.map((width) => storage.remove(fileName(name, width))))
