import { endpoints } from '#core/contract.ts'
import type { albumPictureSchemas, albumSchemas } from './schemas.ts'

export type { Album, AlbumAuthor, AlbumPicture, AlbumPictureEvents } from './schemas.ts'

export const MAX_TITLE = 100
export const MAX_TEXT = 2000
export const MAX_PICTURES = 10_000
/** Of one member. */
export const MAX_ALBUMS = 200
/** In one question whether an album has them. */
export const MAX_HASHES = 200
/** In one page of pictures. */
export const PAGE = 100

export const albumEndpoints = endpoints<typeof albumSchemas>({
  list: 'GET /api/albums',
  create: 'POST /api/albums',
  show: 'GET /api/albums/:id',
  change: 'PATCH /api/albums/:id',
  remove: 'DELETE /api/albums/:id',
})

export const albumPictureEndpoints = endpoints<typeof albumPictureSchemas>({
  list: 'GET /api/albums/:id/pictures',
  authors: 'GET /api/albums/:id/people',
  known: 'POST /api/albums/:id/known',
  add: 'POST /api/albums/:id/pictures',
  remove: 'DELETE /api/album-pictures/:id',
})

/** For those who see the album. */
export const albumChannels = { album: { name: 'private-album.:album' } } as const
