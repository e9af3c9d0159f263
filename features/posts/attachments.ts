import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { idIn, type Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import type { FileKind } from '#core/media/file-schemas.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import type { AttachedFile, AttachedImage } from './contract.ts'
import { requirePictures } from './limits.ts'
import { type ImageRow, toImage } from './read-images.ts'

// The pictures and files of posts, replies and messages.

/** Where the rows are (`AttachmentColumns`), and the column with the id of the post, reply or message. */
export interface Place {
  table: 'post_attachments' | 'reply_attachments' | 'message_attachments' | 'scheduled_media'
  column: 'post_id' | 'reply_id' | 'message_id' | 'scheduled_id'
}

/** All lists are in upload order. */
export interface NewAttachments {
  pictures: readonly Picture[]
  /** Alternative texts of `pictures`, in the same order; null for a picture without one. */
  descriptions: readonly (string | null)[]
  /** Stored unchanged, as they were uploaded. */
  files?: readonly StoredFile[]
  previews?: readonly Picture[]
  /** For each of `previews`, the number of its PDF or video among `files`, from 1. */
  preview_of?: readonly number[]
}

/** The names of the guards (core/media/guards.ts). */
export interface Guards {
  /** Null: everybody may see them. */
  picture: string | null
  /** Of files and their previews. */
  file: string
}

/** The post, reply or message. */
type Owner = Place & { id: number; guards: Guards }

/**
 * 422 if there are more pictures than the settings allow, a preview is not of a PDF or video, or the quota is full; 429
 * beyond the limits for new members.
 */
export async function add(context: MemberContext, tx: Tx, place: Owner, given: NewAttachments) {
  const { pictures, files = [], previews = [] } = given
  requirePictures(context, pictures.length)
  if (previews.length) requirePictures(context, 1)
  await limitNewMember(context, tx, 'picture', pictures.length + files.length)
  await insert(context, tx, place, given)
}

/** As `add`, without the limits for pictures and new members. */
export async function insert(
  context: MemberContext,
  tx: Tx,
  { guards, ...place }: Owner,
  { pictures, descriptions, files = [], previews = [], preview_of = [] }: NewAttachments,
) {
  const { me } = context
  requireDrawable(files, previews, preview_of)
  let position = 0
  const insertRow = (media: string, alt: string | null, file: number | null) =>
    sql`
    insert into ${sql.table(place.table)} (${sql.ref(place.column)}, position, media, alt, file)
    values (${place.id}, ${position++}, ${media}, ${alt}, ${file})`.execute(tx)
  for (const [index, picture] of pictures.entries()) {
    await lifecycle.attachPicture(tx, picture, me.id, guards.picture)
    await insertRow(picture.name, descriptions[index] ?? null, null)
  }
  for (const [index, file] of files.entries()) {
    await lifecycle.attachFile(tx, file, me.id, guards.file)
    await insertRow(file.name, null, index + 1)
  }
  for (const [index, preview] of previews.entries()) {
    await lifecycle.attachPicture(tx, preview, me.id, guards.file)
    await insertRow(preview.name, null, preview_of[index]!)
  }
  if (position) await requireQuota(context, tx, me.id, files.length ? 'files' : 'images')
}

function requireDrawable(
  files: readonly StoredFile[],
  previews: readonly Picture[],
  numbers: readonly number[],
) {
  const areDrawable = numbers.every((number) => ['pdf', 'video'].includes(files[number - 1]?.file_kind ?? ''))
  if (!areDrawable || numbers.length !== previews.length || new Set(numbers).size < numbers.length)
    throw fieldError('preview_of', {
      en: 'The preview_of field must name one PDF or video for each of the previews.',
      ja: 'プレビュー画像1枚ごとに、対応するPDFか動画の番号を1つ指定してください。',
    })
}

/** Both lists are in upload order. */
export interface Attachments {
  images: AttachedImage[]
  files: AttachedFile[]
}

/** Pictures and files; a preview does not count. */
export const countOf = (rows: readonly { media: string; file: number | null }[]) =>
  new Set(rows.map(({ media, file }) => file ?? media)).size

/** As posts and replies have them: without files if there are none. */
export const fields = ({ images, files }: Attachments) => ({ images, ...(files.length > 0 && { files }) })

interface Row extends ImageRow {
  /** The id of the post, reply or message. */
  owner: number
  file: number | null
  file_name: string | null
  file_kind: FileKind
  duration: number | null
  bytes: number
}

/** Resolves to a function that takes the id of one of these posts, replies or messages. */
export async function read(
  { db, media }: Pick<AppContext, 'db' | 'media'>,
  { table, column }: Place,
  owners: readonly number[],
) {
  const owner = sql.ref(`a.${column}`)
  const { rows } = owners.length
    ? await sql<Row>`
        select ${owner} as owner, a.id, a.alt, a.file, m.name, m.widths, m.width, m.height, m.placeholder,
          m.animated, m.file_name, m.file_kind, m.duration, m.bytes
        from ${sql.table(table)} a join media m on m.name = a.media
        where ${idIn(db, `a.${column}`, owners)} order by ${owner}, a.position`.execute(db)
    : { rows: [] }
  const byOwner = Map.groupBy(rows, (row) => row.owner)
  return (id: number): Attachments => toAttachments(media, byOwner.get(id) ?? [])
}

function toAttachments(media: AppContext['media'], rows: readonly Row[]): Attachments {
  const images: AttachedImage[] = []
  const files: AttachedFile[] = []
  for (const row of rows) {
    if (row.file_name !== null) files.push(toFile(media, row, rows))
    else if (row.file === null) images.push(toImage(media, row))
  }
  return { images, files }
}

function toFile(media: AppContext['media'], row: Row, rows: readonly Row[]): AttachedFile {
  const { id, name, file, file_name, file_kind: kind, duration, bytes } = row
  const preview = rows.find((other) => file !== null && other.file === file && other.file_name === null)
  return {
    ...{ id, path: media.filePath(name), name: file_name!, size: Number(bytes), kind },
    ...(duration !== null && { duration }),
    ...(preview && { preview: toImage(media, preview) }),
  }
}
