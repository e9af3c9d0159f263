import { endpoints } from '#core/contract.ts'
import type { albumLinkSchemas, sharedAlbumSchemas } from './link-schemas.ts'
import type { albumPictureSchemas, albumSchemas } from './schemas.ts'

export type { AlbumLink } from './link-schemas.ts'
export type { Album, AlbumAuthor, AlbumPicture, AlbumPictureEvents } from './schemas.ts'

export const MAX_TITLE = 100
export const MAX_TEXT = 2000
export const MAX_PICTURES = 10_000
/** Of one member. */
export const MAX_ALBUMS = 200
/** In one question whether an album has them. */
export const MAX_HASHES = 200
/** Of one album, that have not ended. */
export const MAX_LINKS = 20
/** How long a link is valid. */
export const linkDays = [30, 90, 365] as const
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
  zip: 'GET /api/albums/:id/zip',
  remove: 'DELETE /api/album-pictures/:id',
})

export const albumLinkEndpoints = endpoints<typeof albumLinkSchemas>({
  list: 'GET /api/albums/:id/links',
  create: 'POST /api/albums/:id/links',
  end: 'DELETE /api/album-links/:id',
  all: 'GET /api/admin/album-links',
})

export const sharedAlbumEndpoints = endpoints<typeof sharedAlbumSchemas>({
  page: 'GET /shared/:token',
  zip: 'GET /shared/:token/all.zip',
  picture: 'GET /shared/:token/:id',
  file: 'GET /shared/:token/:id/:size',
})

/** For those who see the album. */
export const albumChannels = { album: { name: 'private-album.:album' } } as const
