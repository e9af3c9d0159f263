import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  nullableReading,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { passwordSchema } from '#core/secrets/password-schemas.ts'
import { attestationSchema, creationSchema } from '#features/account/passkey-schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { DEFAULT_CARD_DAYS, MAX_CELL_LENGTH, MAX_LIST_ROWS } from './contract.ts'

const CardInput = v.object({ code: requiredText(100) })

/** Requests per minute from one address: enough for a class whose pupils all use their cards at once. */
const limits = [{ max: 150, by: 'address' as const }]

export const cardSchemas = {
  /** The member of the card. 422 if it is unknown, used or expired, or if its maker is no longer an admin. */
  check: endpoint(
    'anyone',
    CardInput,
    v.object({
      name: v.string(),
      /** How the name is read; null if nobody has said it. */
      reading: v.nullable(v.string()),
      handle: v.string(),
      /** The only origin at which passkeys work; null without https, where they work nowhere. */
      passkey_origin: v.nullable(v.string()),
    }),
    { limits },
  ),
  passkeyOptions: endpoint('anyone', CardInput, creationSchema, {
    limits,
    errorStatuses: [403],
  }),
  /**
   * Logs the member in, uses the card up, and saves the chosen password or passkey, and the handle and reading
   * if they are given.
   */
  use: endpoint(
    'anyone',
    v.pipe(
      v.object({
        code: requiredText(100),
        handle: optionalText(255),
        reading: v.optional(nullableReading(255)),
        password: v.optional(passwordSchema(8)),
        passkey: v.optional(attestationSchema),
      }),
      v.forward(
        v.partialCheck(
          [['password'], ['passkey']],
          ({ password, passkey }) => password !== undefined || passkey !== undefined,
          'required',
        ),
        ['password'],
      ),
    ),
    /** The page opens the chat of this group after the log-in; null without a group. */
    v.object({ group: v.nullable(v.number()) }),
    { limits, errorStatuses: [403] },
  ),
}

const MAX_CARD_DAYS = 90

/** As the admin entered it; `checkList` reports what is wrong. */
const givenRowSchema = v.object({
  name: optionalText(MAX_CELL_LENGTH),
  reading: optionalText(MAX_CELL_LENGTH),
  group: optionalText(MAX_CELL_LENGTH),
  handle: optionalText(MAX_CELL_LENGTH),
})
export type GivenRow = v.InferOutput<typeof givenRowSchema>

const rowsSchema = limitedArray(givenRowSchema, MAX_LIST_ROWS)

const rowNoteSchema = v.object({
  kind: v.picklist(['error', 'warning']),
  column: v.picklist(['name', 'reading', 'group', 'handle']),
  message: v.string(),
})
export type RowNote = v.InferOutput<typeof rowNoteSchema>

export const checkedRowSchema = v.object({
  name: v.string(),
  reading: v.nullable(v.string()),
  group: v.nullable(v.string()),
  /**
   * The entered handle, even if it is malformed, or a free one that the server suggests from the reading or,
   * without one, from the name. Null if none could
   * be suggested, for example because the name is missing.
   */
  handle: v.nullable(v.string()),
  is_handle_made: v.boolean(),
  notes: v.array(rowNoteSchema),
})
export type CheckedRow = v.InferOutput<typeof checkedRowSchema>

const listPreviewSchema = v.object({
  rows: v.array(checkedRowSchema),
  /** Groups with `is_new` do not exist yet; `create` creates them. */
  groups: v.array(v.object({ name: v.string(), is_new: v.boolean(), members: v.number() })),
})
export type ListPreview = v.InferOutput<typeof listPreviewSchema>

export const listSummarySchema = v.object({
  id: v.number(),
  title: v.nullable(v.string()),
  /** The admin who imported the list; null after the deletion of that account. */
  created_by: v.nullable(personSchema),
  created_at: isoTime,
  members: v.number(),
  /** Members who have used their card, or for whom the operator has set a password. */
  arrived: v.number(),
})
export type ListSummary = v.InferOutput<typeof listSummarySchema>

const listedCardSchema = v.object({
  ...personSchema.entries,
  reading: v.exactOptional(v.string()),
  handle: v.string(),
  /** The first log-in with the card, or when the operator set a password; null before. */
  used_at: v.nullable(isoTime),
  expires_at: isoTime,
  /** False if the card is used or expired, or if its maker is no longer an admin. */
  is_open: v.boolean(),
})
export type ListedCard = v.InferOutput<typeof listedCardSchema>

/** Only the response to the request that creates the card contains the secret code. */
export const newCardSchema = v.object({
  user_id: v.number(),
  name: v.string(),
  reading: v.nullable(v.string()),
  handle: v.string(),
  group: v.nullable(v.string()),
  code: v.string(),
  /** The welcome page, with the code after the `#`. */
  link: v.string(),
})
export type NewCard = v.InferOutput<typeof newCardSchema>

export const newCardsSchema = v.object({
  cards: v.array(newCardSchema),
  expires_at: isoTime,
})
export type NewCards = v.InferOutput<typeof newCardsSchema>

const daysSchema = v.optional(v.pipe(idSchema, v.maxValue(MAX_CARD_DAYS, 'invalid')), DEFAULT_CARD_DAYS)

export const memberListSchemas = {
  /** Says what `create` would do with each row. Changes nothing. */
  preview: endpoint('admin', v.object({ rows: rowsSchema }), listPreviewSchema, {
    limits: [{ max: 60, by: 'account' }],
  }),
  /**
   * Creates all members of a list and their groups, or nothing if a row has an error. A repeated request with
   * the same `key` creates nobody: it returns new cards for members who have not logged in yet, and the first
   * cards become invalid.
   */
  create: endpoint(
    'admin',
    v.object({
      key: requiredText(100),
      title: optionalText(200),
      days: daysSchema,
      rows: rowsSchema,
    }),
    newCardsSchema,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  list: endpoint('admin', v.object(pageFields(50, 200)), v.array(listSummarySchema), { paginated: true }),
  /** Ordered by id. */
  members: endpoint(
    'admin',
    v.object({
      ...idInputSchema.entries,
      ...pageFields(MAX_LIST_ROWS, MAX_LIST_ROWS),
    }),
    v.array(listedCardSchema),
    { paginated: true },
  ),
  /** New cards for all who have not logged in yet; their old cards become invalid. */
  renew: endpoint('admin', v.object({ ...idInputSchema.entries, days: daysSchema }), newCardsSchema, {
    status: 201,
    limits: [{ max: 30, by: 'account' }],
    needsConfirmation: true,
  }),
  /** For a member who has not logged in yet; the old card becomes invalid. */
  renewOne: endpoint('admin', v.object({ ...idInputSchema.entries, days: daysSchema }), newCardsSchema, {
    status: 201,
    limits: [{ max: 60, by: 'account' }],
    needsConfirmation: true,
  }),
}
