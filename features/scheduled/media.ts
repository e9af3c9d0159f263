import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import type { NewAttachments } from '#features/conversations/attachments.ts'
import { SCHEDULED_GUARD } from './tables.ts'

export const mediaGuards = ({ db }: AppContext): MediaGuards => ({
  [SCHEDULED_GUARD]: (me, name) =>
    hasMatchingRow(
      db
        .selectFrom('scheduled_media as m')
        .innerJoin('scheduled as s', 's.id', 'm.scheduled_id')
        .select('m.id')
        .where('m.media', '=', name)
        .where('s.user_id', '=', me.id),
    ),
})

/** They count in the author's quota. */
export async function attach(
  context: MemberContext,
  tx: Tx,
  scheduled_id: number,
  { pictures, files = [], descriptions }: NewAttachments,
) {
  const { me } = context
  const insert = (position: number, media: string, alt: string | null) =>
    tx.insertInto('scheduled_media').values({ scheduled_id, position, media, alt }).execute()
  for (const [position, picture] of pictures.entries()) {
    await lifecycle.attachPicture(tx, picture, me.id, SCHEDULED_GUARD)
    await insert(position, picture.name, descriptions[position] ?? null)
  }
  for (const [index, file] of files.entries()) {
    await lifecycle.attachFile(tx, file, me.id, SCHEDULED_GUARD)
    await insert(pictures.length + index, file.name, null)
  }
  if (pictures.length || files.length)
    await requireQuota(context, tx, me.id, files.length ? 'files' : 'images')
}

const namesOf = (db: Db, scheduled: readonly number[]) =>
  db
    .selectFrom('scheduled_media')
    .select(['media', 'alt'])
    .where('scheduled_id', 'in', scheduled)
    .orderBy('position')
    .execute()

/** For the post or message of the same transaction, which attaches them. */
export async function release(tx: Tx, scheduled: number): Promise<NewAttachments> {
  const all = await namesOf(tx, [scheduled])
  await tx.deleteFrom('scheduled_media').where('scheduled_id', '=', scheduled).execute()
  const released = await lifecycle.release(
    tx,
    all.map(({ media }) => media),
  )
  const rows = new Map(released.map((row) => [row.name, row]))
  const pictures: Picture[] = []
  const files: StoredFile[] = []
  const descriptions: (string | null)[] = []
  for (const { media: name, alt } of all) {
    const { file_name, file_kind, file_hash, width, height, placeholder, ...row } = rows.get(name)!
    const bytes = Number(row.bytes)
    if (file_name !== null) {
      files.push({ name, bytes, file_name, file_kind: file_kind!, file_hash: file_hash! })
      continue
    }
    const widths = row.widths.split(',').map(Number)
    pictures.push({ name, bytes, widths, width, height, placeholder, animated: Boolean(row.animated) })
    descriptions.push(alt)
  }
  return { pictures, files, descriptions }
}

/** Deletes the files after the commit. */
export async function remove({ media }: AppContext, tx: Tx, scheduled: readonly number[]) {
  if (!scheduled.length) return
  const names = (await namesOf(tx, scheduled)).map((row) => row.media)
  if (!names.length) return
  await tx.deleteFrom('scheduled_media').where('scheduled_id', 'in', scheduled).execute()
  await lifecycle.detach(tx, names)
  tx.afterCommit(() => media.deleteUnreferenced(names))
}
