import type { Db } from '#core/database/database.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { referTo } from '#core/media/references.ts'
import type { Person } from '#features/people/contract.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisiblePersonRowsQuery,
  toPersonFromRow,
} from '#features/people/read.ts'
import {
  buildReachCondition,
  listViewerIdsNotReached,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import type { ForwardedMark } from './contract.ts'
import { parseStoredVoiceDetails } from './voice-messages.ts'

// The functions of this file read the marks of forwarded messages, and the attachments for a forwarded copy.

/**
 * Returns the forwarding marks of those messages with these ids that were forwarded, as a map by message id.
 * A mark names the author of the original only to viewers to whom that person's words may be brought.
 */
export async function readForwardedMarksByMessageId(viewer: MemberViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, ForwardedMark>()
  const people = buildVisiblePersonRowsQuery(viewer).where(buildReachCondition(viewer, 'users.id'))
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

/**
 * The forwarding mark of a message for its live event: the author of the original, and the viewers who must
 * not see this author's name.
 */
export interface ForwardedMarkWithExcludedViewers {
  /** The author of the original message; null for a former member. */
  from: Person | null
  /** The ids of the viewers to whom the words of the author of the original may not be brought. */
  hiddenFrom: readonly number[]
}

/**
 * Reads the mark of a forwarded message for its live event. Returns null if the message was not forwarded.
 */
export async function readForwardedMarkWithExcludedViewers(
  viewer: ViewerContext,
  id: number,
): Promise<ForwardedMarkWithExcludedViewers | null> {
  const row = await viewer.db
    .selectFrom('forwarded_messages as f')
    .leftJoin(buildUnfilteredPersonRowsQuery(viewer).as('u'), 'u.id', 'f.author_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('f.message_id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const from = toPersonOrNull(viewer, row)
  return { from, hiddenFrom: from ? await listViewerIdsNotReached(viewer, from.id) : [] }
}

interface AuthorRow {
  id: number | null
  name: string | null
  image: string | null
  shared_handle: string | null
}

/** Converts the author columns of a left join to a person. Returns null if the join found no person. */
const toPersonOrNull = ({ media }: ViewerContext, { id, name, ...author }: AuthorRow): Person | null =>
  id === null ? null : toPersonFromRow(media, { id, name: name!, ...author })

/**
 * Reads the forwarding mark of a message; undefined if the message was not forwarded. `author_id` is the
 * author of the original; null if that is a former member.
 */
export const findForwardedMarkRow = (db: Db, id: number) =>
  db.selectFrom('forwarded_messages').select('author_id').where('message_id', '=', id).executeTakeFirst()

/**
 * Reads the pictures and files of a message in their order, for a message that shows the same stored files
 * under names of its own.
 */
export async function readMessageAttachmentsForForwarding(db: Db, message: number) {
  const rows = await db
    .selectFrom('message_attachments as a')
    .innerJoin('media as d', 'd.name', 'a.media')
    .leftJoin('media_sources as s', 's.name', 'd.name')
    .select(['a.alt', 'a.voice', 'd.name', 'd.widths', 'd.width', 'd.height', 'd.placeholder', 'd.animated'])
    .select(['d.bytes', 'd.file_name', 'd.file_kind', 'd.file_hash', 's.source'])
    .where('a.message_id', '=', message)
    .orderBy('a.position')
    .execute()
  const pictures: PictureMetadata[] = []
  const files: NonPictureFileMetadata[] = []
  const descriptions: (string | null)[] = []
  for (const { file_name, file_kind, file_hash, alt, ...row } of rows) {
    const shared = { name: row.name, bytes: Number(row.bytes), ...(row.source && { source: row.source }) }
    if (file_name !== null) {
      files.push(referTo({ ...shared, file_name, file_kind: file_kind!, file_hash: file_hash! }))
      continue
    }
    const { width, height, placeholder } = row
    const widths = row.widths.split(',').map(Number)
    pictures.push(referTo({ ...shared, widths, width, height, placeholder, animated: Boolean(row.animated) }))
    descriptions.push(alt)
  }
  const voice = parseStoredVoiceDetails(rows.find((row) => row.voice !== null)?.voice ?? null) ?? null
  return { pictures, files, descriptions, voice }
}
