import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as broadcasts from './broadcasts.ts'

interface Gone {
  id: number
  album_id: number
  media: string
}

/** The rows are deleted already. Deletes the files, and tells open pages, after the commit. */
export async function forget(context: AppContext, tx: Tx, gone: readonly Gone[]) {
  const names = gone.map(({ media }) => media)
  await lifecycle.detach(tx, names)
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
}

/** With its pictures. */
export async function deleteAlbum(
  context: AppContext,
  tx: Tx,
  album: { id: number; group_id: number | null },
) {
  const gone = await tx
    .deleteFrom('album_pictures')
    .where('album_id', '=', album.id)
    .returning(['id', 'album_id', 'media'])
    .execute()
  await tx.deleteFrom('albums').where('id', '=', album.id).execute()
  await forget(context, tx, gone)
}

/** Of a group that was deleted: its members are gone, so nobody is told. */
export async function deleteOfGroup(context: AppContext, tx: Tx, group: number) {
  const albums = tx.selectFrom('albums').select('id').where('group_id', '=', group)
  const gone = await tx
    .deleteFrom('album_pictures')
    .where('album_id', 'in', albums)
    .returning(['id', 'album_id', 'media'])
    .execute()
  await tx.deleteFrom('albums').where('group_id', '=', group).execute()
  await forget(context, tx, gone)
}

/** The pictures of a deleted account. The albums stay, because they belong to everybody. */
export async function deleteOfMember(context: AppContext, tx: Tx, user: number) {
  const gone = await tx
    .deleteFrom('album_pictures')
    .where('user_id', '=', user)
    .returning(['id', 'album_id', 'media'])
    .execute()
  await tx.updateTable('albums').set({ created_by: null }).where('created_by', '=', user).execute()
  await forget(context, tx, gone)
  const byAlbum = Map.groupBy(gone, ({ album_id }) => album_id)
  if (!byAlbum.size) return
  const albums = await tx
    .selectFrom('albums')
    .select(['id', 'group_id'])
    .where('id', 'in', [...byAlbum.keys()])
    .execute()
  tx.afterCommit(async () => {
    for (const album of albums) {
      const ids = byAlbum.get(album.id)!.map(({ id }) => id)
      await broadcasts.send(context, album, 'AlbumPicturesRemoved', { ids })
    }
  })
}
