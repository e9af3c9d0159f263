import * as v from 'valibot'
import {
  channel,
  endpoint,
  idInputSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { imageSchema } from '#features/posts/schemas.ts'
import { MAX_HASHES, MAX_TEXT, MAX_TITLE, PAGE } from './contract.ts'

export const albumSchema = v.object({
  id: v.number(),
  title: v.string(),
  /** Null without one, and if the current member may not see who wrote it. */
  text: v.nullable(v.string()),
  /** Null: it belongs to all members. */
  group: v.nullable(v.object({ id: v.number(), name: v.string() })),
  /** Null if the account was deleted, or the current member may not see the person. */
  created_by: v.nullable(personSchema),
  created_at: isoTime,
  /** Without those of people whom the current member may not see. */
  pictures_count: v.number(),
  /** The newest picture; null while there is none. */
  cover: v.nullable(imageSchema),
  /** Whether the current member may rename and delete it, and remove all pictures. */
  manages: v.boolean(),
})
export type Album = v.InferOutput<typeof albumSchema>

export const albumPictureSchema = v.object({
  id: v.number(),
  user: personSchema,
  image: imageSchema,
  /** When it was taken, by the camera or the file; otherwise when it was added. */
  taken_at: isoTime,
  created_at: isoTime,
})
export type AlbumPicture = v.InferOutput<typeof albumPictureSchema>

const albumAuthorSchema = v.object({ user: personSchema, pictures_count: v.number() })
export type AlbumAuthor = v.InferOutput<typeof albumAuthorSchema>

const albumFields = { title: requiredText(MAX_TITLE), text: optionalText(MAX_TEXT) }

export const albumSchemas = {
  /** Those of all members and of the own groups, the newest first. `group_id`: of this group. */
  list: endpoint(
    'member',
    v.object({ ...pageFields(20, 50), group_id: v.optional(idOrEmpty) }),
    v.array(albumSchema),
    {
      paginated: true,
    },
  ),
  /** 404 for a group without the current member, 403 above the limit. */
  create: endpoint(
    'member',
    v.object({ ...albumFields, group_id: v.optional(v.nullable(idSchema), null) }),
    albumSchema,
    { status: 201, errorStatuses: [403, 404], limits: [{ max: 20, by: 'account' }] },
  ),
  show: endpoint('member', idInputSchema, albumSchema),
  /** By who created it, the owner of its group, and admins who see it. */
  change: endpoint('member', v.object({ ...idInputSchema.entries, ...albumFields }), albumSchema, {
    needsConfirmation: 'others',
    errorStatuses: [403],
  }),
  /** With all pictures. By the same people. */
  remove: endpoint('member', idInputSchema, v.undefined(), {
    status: 204,
    needsConfirmation: 'others',
    errorStatuses: [403],
  }),
}

/** In hexadecimal. */
const hashSchema = v.pipe(v.string('string'), v.regex(/^[0-9a-f]{64}$/, 'invalid'))
/** Minutes. */
const MAX_OFFSET = 840

export const albumPictureSchemas = {
  /**
   * `added`: the newest first. `taken`: in the order in which they were taken. `by`: of one person. Cursors come
   * from the header `Link`.
   */
  list: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      ...pageFields(PAGE, PAGE),
      sort: v.optional(v.picklist(['added', 'taken'], 'invalid'), 'added'),
      by: v.optional(idOrEmpty),
      /** Of the last picture of the page before, with `after`. */
      taken: v.optional(v.pipe(v.string('string'), v.isoTimestamp('invalid'))),
    }),
    v.array(albumPictureSchema),
    { paginated: true },
  ),
  /** Who has added pictures. */
  authors: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...pageFields(100, 200) }),
    v.array(albumAuthorSchema),
    { paginated: true },
  ),
  /** Which of these the album has already, by SHA-256 of the bytes, so that they need not be sent. */
  known: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, hashes: limitedArray(hashSchema, MAX_HASHES) }),
    v.object({ known: v.array(v.string()) }),
  ),
  /**
   * One picture. The same bytes twice answer with the picture that is there, and `is_new` false: so a request
   * may be repeated. `taken` is used if the picture does not say when it was taken; `offset`, in minutes, is
   * the zone of pictures that do not say theirs.
   */
  add: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      taken: v.optional(v.nullable(v.pipe(v.string('string'), v.isoTimestamp('invalid'))), null),
      offset: v.optional(
        v.pipe(
          v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d{1,3}$/), v.transform(Number))], 'invalid'),
          v.integer('integer'),
          v.minValue(-MAX_OFFSET, 'invalid'),
          v.maxValue(MAX_OFFSET, 'invalid'),
        ),
        0,
      ),
    }),
    v.object({ picture: albumPictureSchema, is_new: v.boolean() }),
    { files: { image: { max: 1 } }, errorStatuses: [403], limits: [{ max: 300, by: 'account' }] },
  ),
  /** All pictures in one file, as they are stored. 429 while the member gets another one. */
  zip: endpoint('member', idInputSchema, v.void(), {
    download: 'application/zip',
    limits: [{ max: 10, by: 'account' }],
  }),
  /** By who added it, and who may change the album. */
  remove: endpoint('member', idInputSchema, v.undefined(), {
    status: 204,
    needsConfirmation: 'others',
    errorStatuses: [403],
  }),
}

const channelEvents = {
  AlbumPictureAdded: v.object({ picture: albumPictureSchema }),
  AlbumPicturesRemoved: v.object({ ids: v.array(v.number()) }),
  AlbumChanged: v.object({ title: v.string(), text: v.nullable(v.string()) }),
  AlbumDeleted: v.object({ id: v.number() }),
}
export type AlbumPictureEvents = {
  [E in keyof typeof channelEvents]: v.InferOutput<(typeof channelEvents)[E]>
}
export const albumChannelSchemas = { album: channel(channelEvents) }
