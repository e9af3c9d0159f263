import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPageParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  timestampSchema,
} from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'

/** The maximum number of people of a list. */
export const MAX_LIST_ROWS = 300
/**
 * The maximum number of characters of a cell. It is above the maximum length of a name (255), so that a
 * name that is too long is an error of its row, and not of the whole request.
 */
export const MAX_CELL_LENGTH = 300
const MAX_CARD_DAYS = 90
export const DEFAULT_CARD_DAYS = 30

/**
 * A row of the list as the admin has entered it. `checkMemberListAndCreateHandles` reports what is wrong
 * with the row.
 */
const GivenRow = v.object({
  name: createOptionalTextSchema(MAX_CELL_LENGTH),
  group: createOptionalTextSchema(MAX_CELL_LENGTH),
  handle: createOptionalTextSchema(MAX_CELL_LENGTH),
})
export type GivenRow = v.InferOutput<typeof GivenRow>

const rowsSchema = createLimitedArraySchema(GivenRow, MAX_LIST_ROWS)

const RowErrorOrWarning = v.object({
  kind: v.picklist(['error', 'warning']),
  column: v.picklist(['name', 'group', 'handle']),
  message: v.string(),
})
export type RowErrorOrWarning = v.InferOutput<typeof RowErrorOrWarning>

/** A row after the checks. */
export const CheckedRow = v.object({
  name: v.string(),
  group: v.nullable(v.string()),
  /**
   * The handle in the list, also if it is malformed, or a free handle that was made for the row. Null if no
   * handle could be made, for example because the name is missing.
   */
  handle: v.nullable(v.string()),
  is_handle_made: v.boolean(),
  notes: v.array(RowErrorOrWarning),
})
export type CheckedRow = v.InferOutput<typeof CheckedRow>

const ListPreview = v.object({
  rows: v.array(CheckedRow),
  /** The groups that the rows name. `create` creates those with `is_new`, which do not exist yet. */
  groups: v.array(v.object({ name: v.string(), is_new: v.boolean(), members: v.number() })),
})
export type ListPreview = v.InferOutput<typeof ListPreview>

export const MemberListSummary = v.object({
  id: v.number(),
  title: v.nullable(v.string()),
  /** Null after the account of the admin has been deleted. */
  created_by: v.nullable(Person),
  created_at: timestampSchema,
  members: v.number(),
  /** The number of members who have used their card, or have a password from the operator. */
  arrived: v.number(),
})
export type MemberListSummary = v.InferOutput<typeof MemberListSummary>

const ListedCard = v.object({
  ...Person.entries,
  handle: v.string(),
  /** When the member first logged in with the card, or the operator set a password; null before that. */
  used_at: v.nullable(timestampSchema),
  expires_at: timestampSchema,
  /**
   * Whether the member can still log in with the card. False if it is used or expired, or if its maker is no
   * longer an admin.
   */
  is_open: v.boolean(),
})
export type ListedCard = v.InferOutput<typeof ListedCard>

/** A new card with its code. Only the response that creates it contains the code. */
export const Card = v.object({
  user_id: v.number(),
  name: v.string(),
  handle: v.string(),
  group: v.nullable(v.string()),
  code: v.string(),
  /** The address of the welcome page, with the code in its fragment. */
  link: v.string(),
})
export type Card = v.InferOutput<typeof Card>

export const CreatedCards = v.object({ cards: v.array(Card), expires_at: timestampSchema })
export type CreatedCards = v.InferOutput<typeof CreatedCards>

const daysSchema = v.optional(v.pipe(idSchema, v.maxValue(MAX_CARD_DAYS, 'invalid')), DEFAULT_CARD_DAYS)

export const newMemberListEndpoints = {
  /** Says what `create` would do with each row. Changes nothing. */
  preview: defineEndpoint(
    'POST /api/admin/member-lists/preview',
    'admin',
    v.object({ rows: rowsSchema }),
    ListPreview,
    { limits: [{ max: 60, by: 'account' }] },
  ),
  /**
   * Creates the members of a list and their groups, all or none, and returns their cards. A repeated request
   * with the same `key` creates nobody: it returns new cards for the members who have not logged in yet, and
   * the cards of the first response end.
   */
  create: defineEndpoint(
    'POST /api/admin/member-lists',
    'admin',
    v.object({
      key: createRequiredTextSchema(100),
      title: createOptionalTextSchema(200),
      /** The cards end after so many days. */
      days: daysSchema,
      rows: rowsSchema,
    }),
    CreatedCards,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  list: defineEndpoint(
    'GET /api/admin/member-lists',
    'admin',
    v.object(createPageParameterFields(50, 200)),
    v.array(MemberListSummary),
    { paginated: true },
  ),
  /** Lists the members of a list, ordered by id. */
  members: defineEndpoint(
    'GET /api/admin/member-lists/:id/members',
    'admin',
    v.object({ ...idInputSchema.entries, ...createPageParameterFields(MAX_LIST_ROWS, MAX_LIST_ROWS) }),
    v.array(ListedCard),
    { paginated: true },
  ),
  /** Makes new cards for all members of a list who have not logged in yet. Their old cards end. */
  renew: defineEndpoint(
    'POST /api/admin/member-lists/:id/cards',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    CreatedCards,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  /** Makes a new card for one member who has not logged in yet. The old card ends. */
  renewOne: defineEndpoint(
    'POST /api/admin/users/:id/card',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    CreatedCards,
    { status: 201, limits: [{ max: 60, by: 'account' }], needsConfirmation: true },
  ),
}
