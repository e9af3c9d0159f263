import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import type { VoiceDetails } from '#core/media/file-schemas.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { Attachments, NewAttachments as Given } from '#features/posts/attachments.ts'
import * as attachments from '#features/posts/attachments.ts'
import { parseStoredVoice, withVoiceKind } from '#features/voice/model.ts'
import type { AttachedCounts } from './attached-contract.ts'
import { MESSAGE_GUARD } from './tables.ts'

const place = { table: 'message_attachments', column: 'message_id' } as const
const guards = { picture: MESSAGE_GUARD, file: MESSAGE_GUARD }

export type { Attachments }
export const none: Attachments = { images: [], files: [] }

export interface NewAttachments extends Given {
  /** Set if the message is a voice message, whose only file is a recording. */
  voice?: VoiceDetails | null
}

/** Throws as `attachments.add`. */
export async function add(
  context: MemberContext,
  tx: Tx,
  id: number,
  { voice, files = [], ...given }: NewAttachments,
) {
  const attached = { ...given, files: withVoiceKind(files, voice) }
  await attachments.add(context, tx, { ...place, id, guards }, attached)
  if (voice)
    await tx
      .updateTable('message_attachments')
      .set({ voice: JSON.stringify(voice) })
      .where('message_id', '=', id)
      .execute()
}

/** Resolves to a function that takes the id of one of these messages. */
export async function lookup(viewer: MemberViewer, messages: readonly number[]) {
  const attachmentsOf = await attachments.read(viewer, place, messages)
  const found = messages.map((id) => [id, attachmentsOf(id)] as const)
  const recordings = found.flatMap(([, { files }]) => files.filter(({ kind }) => kind === 'voice'))
  const voices = await listVoices(
    viewer.db,
    recordings.map(({ id }) => id),
  )
  for (const file of recordings) {
    const voice = parseStoredVoice(voices.get(file.id) ?? null)
    if (voice) file.voice = voice
  }
  const byMessage = new Map(found)
  return (message: number): Attachments => byMessage.get(message) ?? none
}

/** By the id of the attachment. */
async function listVoices(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Map<number, string | null>()
  const rows = await db
    .selectFrom('message_attachments')
    .select(['id', 'voice'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, voice }) => [id, voice]))
}

const filters = {
  picture: sql`d.file_name is null and a.file is null`,
  file: sql`d.file_name is not null`,
  voice: sql`d.file_kind = 'voice'`,
  video: sql`d.file_kind = 'video'`,
}
/** SQL expression for the message `m`. */
export const countOf = (kind: keyof typeof filters) =>
  sql<number>`(select count(*) from message_attachments a join media d on d.name = a.media
    where a.message_id = m.id and ${filters[kind]})`

/** Columns for `toCounts`. */
export const countColumns = [
  countOf('picture').as('images_count'),
  countOf('file').as('files_count'),
  countOf('voice').as('voices_count'),
  countOf('video').as('videos_count'),
] as const

type CountRow = Record<'images_count' | 'files_count' | 'voices_count' | 'videos_count', number>

/** What a chat list, a quote or a push says of a message without text. */
export function toCounts(row: CountRow): AttachedCounts {
  const [images_count, files_count] = [Number(row.images_count), Number(row.files_count)]
  return {
    images_count,
    ...(files_count && { files_count }),
    ...(Number(row.voices_count) && { is_voice: true }),
    ...(files_count && Number(row.videos_count) === files_count && { is_video: true }),
  }
}

/** Files besides pictures, by message id; without an entry for messages that have none. */
export async function fileNames(db: Db, messages: readonly number[]) {
  const rows = messages.length
    ? await db
        .selectFrom('message_attachments as a')
        .innerJoin('media as d', 'd.name', 'a.media')
        .select(['a.message_id', 'd.file_name'])
        .where('a.message_id', 'in', messages)
        .where('d.file_name', 'is not', null)
        .orderBy('a.message_id')
        .orderBy('a.position')
        .execute()
    : []
  const byMessage = Map.groupBy(rows, ({ message_id }) => message_id)
  return new Map([...byMessage].map(([id, files]) => [id, files.map(({ file_name }) => file_name!)]))
}
