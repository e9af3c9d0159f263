import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import type { AttachedFile, FileKind, VoiceDetails } from '#core/media/file-schemas.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { AttachedImage } from '#features/posts/contract.ts'
import { requirePictures } from '#features/posts/limits.ts'
import { readImages } from '#features/posts/read-images.ts'
import { parseStoredVoice, withVoiceKind } from '#features/voice/model.ts'
import { MESSAGE_GUARD } from './tables.ts'

/** Both lists are in upload order. */
export interface Attachments {
  images: AttachedImage[]
  files: AttachedFile[]
}

export const none: Attachments = { images: [], files: [] }

export interface NewAttachments {
  pictures: readonly Picture[]
  /** Alternative texts of `pictures`, in the same order; null for a picture without one. */
  descriptions: readonly (string | null)[]
  /** Stored unchanged, as they were uploaded. */
  files?: readonly StoredFile[]
  /** Set if the message is a voice message, whose only file is a recording. */
  voice?: VoiceDetails | null
}

/**
 * 422 if there are more pictures than the settings allow or the quota is full, 429 beyond the limits for new
 * members.
 */
export async function add(context: MemberContext, tx: Tx, message_id: number, attachments: NewAttachments) {
  const { me } = context
  const { pictures, descriptions, voice } = attachments
  const files = withVoiceKind(attachments.files ?? [], voice)
  requirePictures(context, pictures.length)
  await limitNewMember(context, tx, 'picture', pictures.length + files.length)
  const insert = (position: number, media: string, details: { alt?: string | null; voice?: string }) =>
    tx
      .insertInto('message_attachments')
      .values({ message_id, position, media, ...details })
      .execute()
  for (const [position, picture] of pictures.entries()) {
    await lifecycle.attachPicture(tx, picture, me.id, MESSAGE_GUARD)
    await insert(position, picture.name, { alt: descriptions[position] ?? null })
  }
  for (const [index, file] of files.entries()) {
    await lifecycle.attachFile(tx, file, me.id, MESSAGE_GUARD)
    await insert(pictures.length + index, file.name, voice ? { voice: JSON.stringify(voice) } : {})
  }
  if (pictures.length || files.length)
    await requireQuota(context, tx, me.id, files.length ? 'files' : 'images')
}

/** Resolves to a function that takes the id of one of these messages. */
export async function lookup(viewer: MemberViewer, messages: readonly number[]) {
  const images = await readImages(viewer, 'message_attachments', 'message_id', messages)
  const files = await readFilesByMessage(viewer, messages)
  return (message: number): Attachments => ({
    images: images.get(message) ?? [],
    files: files.get(message) ?? [],
  })
}

/** SQL expression: the number of pictures or of other files of the message `m`. */
export const countOf = (type: 'picture' | 'file') =>
  sql<number>`(select count(*) from message_attachments a join media d on d.name = a.media
    where a.message_id = m.id and d.file_name is ${sql.raw(type === 'file' ? 'not null' : 'null')})`

/** SQL expression for the message `m`. */
export const voiceCount = sql<number>`(select count(*) from message_attachments a
  where a.message_id = m.id and a.voice is not null)`

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

interface FileRow {
  message_id: number
  id: number
  media: string
  file_name: string
  file_kind: FileKind
  bytes: number
  voice: string | null
}

async function readFilesByMessage(
  { db, media }: Pick<AppContext, 'db' | 'media'>,
  messages: readonly number[],
) {
  const files = new Map<number, AttachedFile[]>()
  if (!messages.length) return files
  const { rows } = await sql<FileRow>`
    select a.message_id, a.id, a.media, m.file_name, m.file_kind, m.bytes, a.voice
    from message_attachments a join media m on m.name = a.media
    where a.message_id in (${sql.join(messages)}) and m.file_name is not null
    order by a.message_id, a.position`.execute(db)
  for (const { message_id, id, media: name, file_name, file_kind: kind, bytes, ...row } of rows) {
    const voice = parseStoredVoice(row.voice)
    const path = media.filePath(name)
    const file = { id, path, name: file_name, size: Number(bytes), kind, ...(voice && { voice }) }
    files.set(message_id, [...(files.get(message_id) ?? []), file])
  }
  return files
}
