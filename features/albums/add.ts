import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { UploadedFile } from '#core/media/media.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import { requireConfirmation, type SessionContext } from '#features/people/session-confirmation.ts'
import { requirePictures } from '#features/posts/limits.ts'
import { imageWidths } from '#features/posts/read-images.ts'
import * as broadcasts from './broadcasts.ts'
import { MAX_PICTURES } from './contract.ts'
import { forget } from './deletion.ts'
import * as pictures from './pictures.ts'
import * as read from './read.ts'
import { GUARD } from './tables.ts'
import { readTakenAt } from './taken-at.ts'

interface Given {
  id: number
  taken: string | null
  offset: number
}

interface New {
  picture: Picture
  hash: string
  file_name: string
  taken_at: string
}

/** The same bytes are neither decoded nor stored again. */
export async function add(
  context: MemberContext,
  { id, taken, offset }: Given,
  [file]: readonly UploadedFile[],
) {
  if (!file) throw fieldError('image', { en: 'The image field is required.', ja: '画像を選んでください。' })
  await read.requireAlbum(context, id)
  const same = await pictures.findSame(context, id, file.hash)
  if (same) return answer(context, same.id, false)
  requirePictures(context, 1)
  const added = await context.media.store([file], imageWidths, async ([picture]) => {
    const taken_at = await readTakenAt(file.path, taken, offset)
    return attach(context, id, { picture: picture!, hash: file.hash, file_name: file.filename, taken_at })
  })
  return answer(context, added.id, added.isNew)
}

async function answer(context: MemberContext, id: number, is_new: boolean) {
  return { picture: await pictures.getForAll(context, id), is_new }
}

/** Throws as `add` does. */
export const attach = (context: MemberContext, album_id: number, { picture, ...row }: New) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const viewer = { ...context, db: tx }
    await lockName(tx, `album ${album_id}`)
    const album = await read.requireAlbum(viewer, album_id)
    const same = await pictures.findSame(viewer, album_id, row.hash)
    if (same) return { id: same.id, isNew: false }
    await requireRoom(tx, album_id)
    await limitNewMember(context, tx, 'picture')
    await lifecycle.attachPicture(tx, picture, me.id, GUARD)
    const { id } = await tx
      .insertInto('album_pictures')
      .values({ album_id, user_id: me.id, media: picture.name, ...row, created_at: isoNow() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await requireQuota(context, tx, me.id, 'image')
    tx.afterCommit(async () => {
      const outside = { ...context, db: tx.root }
      const data = { picture: await pictures.getForAll(outside, id) }
      await broadcasts.send(outside, album, 'AlbumPictureAdded', data, [me.id])
    })
    return { id, isNew: true }
  })

async function requireRoom(tx: Tx, album: number) {
  const { count } = await tx
    .selectFrom('album_pictures')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('album_id', '=', album)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_PICTURES)
    throw new HttpError(403, {
      en: `This album is full: it has ${MAX_PICTURES} pictures. Start another one.`,
      ja: `このアルバムは、${MAX_PICTURES}枚でいっぱいです。新しいアルバムを作ってください。`,
    })
}

/** 404 unless the member sees it; 403 for pictures of others in albums of others. */
export const remove = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, session } = context
    const picture = await tx
      .selectFrom('album_pictures as p')
      .select(['p.album_id', 'p.user_id'])
      .where('p.id', '=', id)
      .where(read.shows({ ...context, db: tx }, 'p.user_id'))
      .executeTakeFirst()
    if (!picture) throw createMissingError()
    const album = await read.requireAlbum({ ...context, db: tx }, picture.album_id)
    if (picture.user_id !== me.id && !read.isOwn(album, me.id)) {
      if (!me.is_admin) throw createNotAddedError()
      await requireConfirmation(tx, session.token)
    }
    const gone = await tx
      .deleteFrom('album_pictures')
      .where('id', '=', id)
      .returning(['id', 'album_id', 'media'])
      .execute()
    await forget(context, tx, gone)
    tx.afterCommit(() => broadcasts.send(context, album, 'AlbumPicturesRemoved', { ids: [id] }))
  })

const createMissingError = () =>
  new HttpError(404, { en: 'There is no such picture.', ja: 'その画像は見つかりません。' })
const createNotAddedError = () =>
  new HttpError(403, {
    en: 'Only who added the picture, who made the album, the owner of its group and admins can remove it.',
    ja: '画像を削除できるのは、追加した人、アルバムを作った人、グループのまとめ役、管理者だけです。',
  })
