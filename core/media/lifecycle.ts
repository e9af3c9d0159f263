import { type Db, now, type Tx } from '#core/database/database.ts'
import { isForeignKeyViolation } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'
import { errors } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/*
 * The states of a picture. A change of state is one transaction, so a crash leaves each picture in one of
 * them. The sweep (sweep.ts: at the start, then every ten minutes) continues from there.
 *
 * State         Rows; files                        Entered by (transaction)                 After a crash
 * ------------  ---------------------------------  ---------------------------------------  ----------------
 * uploaded      none; the original in scratch/     receive (none)                           sweep deletes it
 * pending       loose_media, going 0; none to all  addPending (own), then files follow      sweep deletes it
 * attached      media and a reference to it; all   attach (that which adds the reference)   stays
 * unreferenced  media and unshown_media; all       detach (that which removes it)           sweep deletes [1]
 * deleting      loose_media, going 1; all to none  deleteUnreferenced, deletePending (own)  sweep goes on
 * deleted       none; none                         deletePending (own), after the files     -
 * orphaned      none; files that no row names      unknown: the database was replaced       sweep moves [2]
 *
 * [1] Where another row still refers to the picture, the foreign key fails: the picture is attached again.
 * [2] A single process moves them to orphans/ at its start, and back when a row names them again.
 *
 * `store` (media.ts) takes uploads to pending and, through the caller, to attached, and deletes what the
 * caller did not attach. Where several processes run, a sweep deletes a pending picture only when it is older
 * than any request.
 */

export const fileName = (name: string, width: number | string) => `${name}-${width}.webp`

/**
 * uploaded → pending. The caller writes the files after this has resolved: then a committed row names every
 * file that the storage may hold.
 */
export const addPending = (db: Db, { name, widths }: Picture) =>
  transaction(db, (tx) =>
    tx
      .insertInto('loose_media')
      .values({ name, widths: widths.join(','), since: now(), going: 0 })
      .execute(),
  )

/**
 * pending → attached, in the transaction that adds the reference. Throws 503 where the picture is being
 * deleted.
 */
export async function attach(tx: Tx, { animated, widths, ...picture }: Picture) {
  const { numDeletedRows } = await tx
    .deleteFrom('loose_media')
    .where('name', '=', picture.name)
    .where('going', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw errors.notStored()
  await tx
    .insertInto('media')
    .values({ ...picture, widths: widths.join(','), animated: Number(animated), created_at: now() })
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
 * pending → deleting → deleted. False where the picture has no pending row: it is attached or deleted. Waits
 * for a transaction that attaches the picture at the same time. With `mayArrive` the row stays, so that a
 * sweep deletes the files once more: a bucket may still store a file that was sent to it.
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
