import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { NewAttachments } from '#features/conversations/attachments.ts'
import * as attachments from '#features/posts/attachments.ts'
import { SCHEDULED_GUARD, scheduledPlace } from './tables.ts'

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

const guards = { picture: SCHEDULED_GUARD, file: SCHEDULED_GUARD }

/** They count in the author's quota. */
export const attach = (context: MemberContext, tx: Tx, id: number, given: NewAttachments) =>
  attachments.insert(context, tx, { ...scheduledPlace, id, guards }, given)

const namesOf = (db: Db, scheduled: readonly number[]) =>
  db
    .selectFrom('scheduled_media')
    .select(['media', 'alt', 'file'])
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
  const previews: Picture[] = []
  const preview_of: number[] = []
  const descriptions: (string | null)[] = []
  for (const { media: name, alt, file } of all) {
    const { file_name, file_kind, file_hash, duration, width, height, placeholder, ...row } = rows.get(name)!
    const bytes = Number(row.bytes)
    if (file_name !== null) {
      files.push({ name, bytes, file_name, file_kind: file_kind!, file_hash: file_hash!, duration })
      continue
    }
    const widths = row.widths.split(',').map(Number)
    const sizes = { widths, width, height, placeholder, animated: Boolean(row.animated) }
    if (file === null) {
      pictures.push({ name, bytes, ...sizes })
      descriptions.push(alt)
    } else {
      previews.push({ name, bytes, ...sizes })
      preview_of.push(file)
    }
  }
  return { pictures, files, previews, preview_of, descriptions }
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
