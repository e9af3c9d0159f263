import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markNonPictureFileAttached, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireMemberWithinStorageQuota } from '#core/media/storage-quota.ts'
import type { AttachedFile, NonPictureFileKind, VoiceDetails } from '#core/stored-file-contract.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import type { AttachedImage } from '#features/posts/contract.ts'
import { requireAllowedPictureCount } from '#features/posts/limits.ts'
import { readImagesByPostReplyOrMessageId } from '#features/posts/read-images.ts'
import { MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME } from './tables.ts'
import { applyVoiceKindToMessageFiles, parseStoredVoiceDetails } from './voice-messages.ts'

/** The pictures and the other files of one stored message. Both lists are in upload order. */
export interface MessageAttachments {
  images: AttachedImage[]
  files: AttachedFile[]
}

export const noMessageAttachments: MessageAttachments = { images: [], files: [] }

/**
 * The attachments of a new message, as the server stores them: pictures with descriptions, and other files.
 */
export interface NewMessageAttachments {
  pictures: readonly PictureMetadata[]
  /**
   * The descriptions (alternative texts) of `pictures`, in the same order; null for a picture without one.
   */
  descriptions: readonly (string | null)[]
  /** The attached files that are not pictures. They are stored unchanged, as they were uploaded. */
  files?: readonly NonPictureFileMetadata[]
  /**
   * The length and the wave form of the recording if the message is a voice message, whose only file is a
   * recording.
   */
  voice?: VoiceDetails | null
}

/**
 * Adds pictures and files to a new message that the current member sends. Throws 422 if the message has more
 * pictures than the settings allow or if the storage quota is exceeded, and 429 beyond the limits for new
 * members.
 */
export async function addAttachmentsToNewMessage(
  context: MemberContext,
  tx: Tx,
  message_id: number,
  attachments: NewMessageAttachments,
) {
  const { me } = context
  const { pictures, descriptions, voice } = attachments
  const files = applyVoiceKindToMessageFiles(attachments.files ?? [], voice)
  requireAllowedPictureCount(context, pictures.length)
  await countAndLimitNewMemberAction(context, tx, 'picture', pictures.length + files.length)
  const insert = (position: number, media: string, details: { alt?: string | null; voice?: string }) =>
    tx
      .insertInto('message_attachments')
      .values({ message_id, position, media, ...details })
      .execute()
  for (const [position, picture] of pictures.entries()) {
    await markPictureAttached(tx, picture, me.id, MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME)
    await insert(position, picture.name, { alt: descriptions[position] ?? null })
  }
  for (const [index, file] of files.entries()) {
    await markNonPictureFileAttached(tx, file, me.id, MESSAGE_ATTACHMENT_ACCESS_GUARD_NAME)
    await insert(pictures.length + index, file.name, voice ? { voice: JSON.stringify(voice) } : {})
  }
  if (pictures.length || files.length)
    await requireMemberWithinStorageQuota(context, tx, me.id, files.length ? 'files' : 'images')
}

/**
 * Reads the pictures and files of several messages. Returns a function that takes the id of one of these
 * messages and returns its attachments.
 */
export async function readMessageAttachmentsLookupFunction(
  viewer: MemberViewerContext,
  messages: readonly number[],
) {
  const images = await readImagesByPostReplyOrMessageId(viewer, 'message_attachments', 'message_id', messages)
  const files = await readFilesByMessage(viewer, messages)
  return (message: number): MessageAttachments => ({
    images: images.get(message) ?? [],
    files: files.get(message) ?? [],
  })
}

/**
 * Returns an SQL expression: the number of pictures (or of other files, depending on `type`) of the message
 * with the table alias `m`.
 */
export const buildMessageAttachmentCountExpression = (type: 'picture' | 'file') =>
  sql<number>`(select count(*) from message_attachments a join media d on d.name = a.media
    where a.message_id = m.id and d.file_name is ${sql.raw(type === 'file' ? 'not null' : 'null')})`

/**
 * SQL expression: the number of voice recordings that are attached to the message with the table alias `m`.
 */
export const messageVoiceRecordingCountExpression = sql<number>`(select count(*) from message_attachments a
  where a.message_id = m.id and a.voice is not null)`

/**
 * Returns the names of the attached files of messages, besides pictures, as a map by message id. The map
 * leaves out messages without such files.
 */
export async function readNonPictureFileNamesByMessageId(db: Db, messages: readonly number[]) {
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
  file_kind: NonPictureFileKind
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
    const voice = parseStoredVoiceDetails(row.voice)
    const path = media.filePath(name)
    const file = { id, path, name: file_name, size: Number(bytes), kind, ...(voice && { voice }) }
    files.set(message_id, [...(files.get(message_id) ?? []), file])
  }
  return files
}
