import type { MediaService } from '#core/media/media.ts'
import type { Person } from '#features/people/contract.ts'
import * as persons from '#features/people/read.ts'

/** Path of the picture; no field if there is none. */
export const pictureField = (media: MediaService, picture: string | null) =>
  picture === null ? {} : { picture: persons.avatarUrl(media, picture)! }

/** From a left join; null if the join found no person. */
export const toPerson = (
  media: MediaService,
  id: number | null,
  name: string | null,
  image: string | null,
  shared_handle: string | null,
): Person | null => (id === null ? null : persons.fromRow(media, { id, name: name!, image, shared_handle }))
