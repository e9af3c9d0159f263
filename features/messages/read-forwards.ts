import type { Db } from '#core/database/database.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { Picture } from '#core/media/images.ts'
import { referTo } from '#core/media/references.ts'
import type { ForwardedMark } from '#features/conversations/message-schemas.ts'
import type { Person } from '#features/people/contract.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { parseStoredVoice } from '#features/voice/model.ts'

/**
 * By message id. Names the author of the original only to viewers to whom that person's words may be brought.
 */
export async function marks(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return new Map<number, ForwardedMark>()
  const people = persons.rows(viewer).where(visibility.reaches(viewer, 'users.id'))
  const rows = await viewer.db
    .selectFrom('forwarded_messages as f')
    .leftJoin(people.as('u'), 'u.id', 'f.author_id')
    .select(['f.message_id', 'u.id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('f.message_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ message_id, ...author }) => [message_id, { from: toPersonOrNull(viewer, author) }]),
  )
}

export interface LiveForward {
  /** Null for a former member. */
  from: Person | null
  /** Viewers to whom the words of the author of the original may not be brought. */
  hiddenFrom: readonly number[]
}

/** For the live event. Null if the message was not forwarded. */
export async function live(viewer: ViewerContext, id: number): Promise<LiveForward | null> {
  const row = await viewer.db
    .selectFrom('forwarded_messages as f')
    .leftJoin(persons.unfiltered(viewer).as('u'), 'u.id', 'f.author_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('f.message_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const from = toPersonOrNull(viewer, row)
  return { from, hiddenFrom: from ? await visibility.listNotReached(viewer, from.id) : [] }
}

interface AuthorRow {
  id: number | null
  name: string | null
  image: string | null
  shared_handle: string | null
}

/** Null if the left join found no person. */
const toPersonOrNull = ({ media }: ViewerContext, { id, name, ...author }: AuthorRow): Person | null =>
  id === null ? null : persons.fromRow(media, { id, name: name!, ...author })

/** Undefined if the message was not forwarded. `author_id` is null for a former member. */
export const findMark = (db: Db, id: number) =>
  db.selectFrom('forwarded_messages').select('author_id').where('message_id', '=', id).executeTakeFirst()

/** In their order, for a message that shows the same stored files under names of its own. */
export async function getFiles(db: Db, message: number) {
  const rows = await db
    .selectFrom('message_attachments as a')
    .innerJoin('media as d', 'd.name', 'a.media')
    .leftJoin('media_sources as s', 's.name', 'd.name')
    .select([
      'a.alt',
      'a.voice',
      'a.file',
      'd.name',
      'd.widths',
      'd.width',
      'd.height',
      'd.placeholder',
      'd.animated',
    ])
    .select(['d.bytes', 'd.file_name', 'd.file_kind', 'd.file_hash', 'd.duration', 's.source'])
    .where('a.message_id', '=', message)
    .orderBy('a.position')
    .execute()
  const pictures: Picture[] = []
  const files: StoredFile[] = []
  const previews: Picture[] = []
  const preview_of: number[] = []
  const descriptions: (string | null)[] = []
  for (const { file_name, file_kind, file_hash, duration, alt, file, ...row } of rows) {
    const shared = { name: row.name, bytes: Number(row.bytes), ...(row.source && { source: row.source }) }
    if (file_name !== null) {
      const details = { file_name, file_kind: file_kind!, file_hash: file_hash!, duration }
      files.push(referTo({ ...shared, ...details }))
      continue
    }
    const { width, height, placeholder } = row
    const widths = row.widths.split(',').map(Number)
    const sizes = { widths, width, height, placeholder, animated: Boolean(row.animated) }
    const picture = referTo({ ...shared, ...sizes })
    if (file === null) {
      pictures.push(picture)
      descriptions.push(alt)
    } else {
      previews.push(picture)
      preview_of.push(file)
    }
  }
  const voice = parseStoredVoice(rows.find((row) => row.voice !== null)?.voice ?? null) ?? null
  return { pictures, files, previews, preview_of, descriptions, voice }
}
