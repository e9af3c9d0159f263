import * as v from 'valibot'
import { endpoint, idInputSchema, idOrEmpty, idSchema, isoTime, pageFields } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { linkDays, MAX_LINKS } from './contract.ts'

const linkSchema = v.object({
  id: v.number(),
  album_id: v.number(),
  /** Of the album. */
  title: v.string(),
  created_by: personSchema,
  created_at: isoTime,
  ends_at: isoTime,
  views_count: v.number(),
  viewed_at: v.nullable(isoTime),
})
export type AlbumLink = v.InferOutput<typeof linkSchema>

export const albumLinkSchemas = {
  /** Those that are valid, for who may change the album. */
  list: endpoint('member', idInputSchema, v.pipe(v.array(linkSchema), v.maxLength(MAX_LINKS)), {
    errorStatuses: [403],
  }),
  /** The address is told only now. */
  create: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, days: v.picklist(linkDays, 'invalid') }),
    v.object({ url: v.string() }),
    { status: 201, needsConfirmation: 'others', errorStatuses: [403], limits: [{ max: 10, by: 'account' }] },
  ),
  /** At once. By who made it, who may change the album, and admins. */
  end: endpoint('member', idInputSchema, v.undefined(), { status: 204 }),
  /** Of all albums. */
  all: endpoint('admin', v.object(pageFields(50, 100)), v.array(linkSchema), { paginated: true }),
}

const tokenFields = { token: v.pipe(v.string('string'), v.regex(/^[\w-]{43}$/, 'invalid')) }
const limits = [{ max: 600, by: 'address' }] as const

export const sharedAlbumSchemas = {
  /** A page for people without an account: no names, no scripts. Each visit is counted. */
  page: endpoint('anyone', v.object({ ...tokenFields, after: v.optional(idOrEmpty) }), v.void(), {
    download: 'text/html',
    limits,
  }),
  zip: endpoint('anyone', v.object(tokenFields), v.void(), {
    download: 'application/zip',
    errorStatuses: [404],
    limits: [{ max: 10, by: 'address' }],
  }),
  /** One picture. */
  picture: endpoint('anyone', v.object({ ...tokenFields, id: idSchema }), v.void(), {
    download: 'text/html',
    limits,
  }),
  file: endpoint(
    'anyone',
    v.object({ ...tokenFields, id: idSchema, size: v.picklist(['small', 'large'], 'invalid') }),
    v.void(),
    { download: 'image/webp', limits: [{ max: 3000, by: 'address' }] },
  ),
}
