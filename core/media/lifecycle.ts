import { randomUUID } from 'node:crypto'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { isForeignKeyError } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { Picture } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'

// uploaded → pending → attached → unreferenced → deleting → deleted, for pictures and other files.
// docs/media.md says which transaction changes each state, what a crash leaves, and who cleans it up.

/** Databases limit the number of parameters of a statement. */
const INSERT_BATCH = 1000

/** uploaded → pending. Files are written only after it, so that each file in the storage belongs to a row. */
export const insertPending = (db: Db, { name, widths = [] }: { name: string; widths?: readonly number[] }) =>
  transaction(db, (tx) =>
    tx
      .insertInto('pending_media')
      .values({ name, widths: widths.join(','), since: isoNow(), is_deleting: 0 })
      .execute(),
  )

/**
 * pending → attached, in the transaction that adds the reference. The picture counts in the quota of
 * `owner_id` (null: of nobody). Throws 503 if its deletion has begun. Public without a guard
 * (core/media/guards.ts). A picture with a `source` was never pending, because it has no files.
 */
export async function attachPicture(
  tx: Tx,
  { animated, widths, source, ...picture }: Picture,
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
      created_at: isoNow(),
      guard,
      owner_id,
    })
    .execute()
  await insertSource(tx, picture.name, source)
}

/** Like `lifecycle.attachPicture`, for a file that is stored as it was uploaded. */
export async function attachFile(tx: Tx, { source, ...file }: StoredFile, owner_id: number, guard: string) {
  if (!source) await deletePendingRow(tx, file.name)
  const noPicture = { widths: '', width: 0, height: 0, placeholder: '', animated: 0 }
  await tx
    .insertInto('media')
    .values({ ...file, ...noPicture, created_at: isoNow(), guard, owner_id })
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
      throw isForeignKeyError(error) ? httpErrors.notShown() : error
    })
}

/**
 * attached → pending. The same transaction removes the references to them before, and attaches them again:
 * otherwise they are deleted after a while. They have no `source`.
 */
export async function release(tx: Tx, names: readonly string[]) {
  if (!names.length) return []
  const rows = await tx.deleteFrom('media').where('name', 'in', names).returningAll().execute()
  const pending = rows.map(({ name, widths }) => ({ name, widths, since: isoNow(), is_deleting: 0 }))
  await tx.insertInto('pending_media').values(pending).execute()
  return rows
}

async function deletePendingRow(tx: Tx, name: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('pending_media')
    .where('name', '=', name)
    .where('is_deleting', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw httpErrors.notStored()
}

/** A null guard lets everybody see them. Copies in caches of browsers and proxies stay. */
export const setGuard = async (tx: Tx, names: readonly string[], guard: string | null) => {
  if (names.length) await tx.updateTable('media').set({ guard }).where('name', 'in', names).execute()
}

export const hasRow = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** Only attached and unreferenced ones, which have a row in `media`. */
export async function sumBytes(db: Db, names: readonly string[]) {
  if (!names.length) return 0
  const { bytes } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .where('name', 'in', names)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** In the transaction that removes a reference. From then on they do not count in a quota. */
export async function detach(tx: Tx, names: readonly string[]) {
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

/** If another row still refers to it, it stays, and is queued again with the last of these. */
export async function removeUnreferenced(db: Db, storage: MediaStorage, name: string) {
  const queued = await db
    .selectFrom('unreferenced_media')
    .select('token')
    .where('name', '=', name)
    .executeTakeFirst()
  const deleted = await markDeleting(db, name).catch(async (error: unknown) => {
    if (!isForeignKeyError(error)) throw error
    if (queued) await leaveAttached(db, name, queued.token)
    return null
  })
  if (deleted?.source) await removeUnreferenced(db, storage, deleted.source)
  else if (deleted) await removePending(db, storage, name)
}

/** Unless a reference was removed since `token` was read. */
const leaveAttached = (db: Db, name: string, token: string) =>
  transaction(db, (tx) =>
    tx.deleteFrom('unreferenced_media').where('name', '=', name).where('token', '=', token).execute(),
  )

/** Null if the row is deleted already. Its files are pending then; a `source` is queued instead. */
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
        .values({ name, widths: row.widths, since: isoNow(), is_deleting: 1 })
        .execute()
    return { source: reference?.source }
  })

/** False if attached or deleted. `mayStillArrive` keeps the row: a bucket may still store what was sent. */
export async function removePending(db: Db, storage: MediaStorage, name: string, mayStillArrive = false) {
  const row = await transaction(db, (tx) =>
    tx
      .updateTable('pending_media')
      .set({ is_deleting: 1 })
      .where('name', '=', name)
      .returning('widths')
      .executeTakeFirst(),
  )
  if (!row) return false
  await removeFiles(storage, name, row.widths)
  if (!mayStillArrive)
    await transaction(db, (tx) => tx.deleteFrom('pending_media').where('name', '=', name).execute())
  return true
}

export const removeFiles = (storage: MediaStorage, name: string, widths: string) =>
  Promise.all(storedNames.list(name, widths).map((file) => storage.remove(file)))
