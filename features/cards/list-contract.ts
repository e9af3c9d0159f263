import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of people of a list. */
export const MAX_MEMBER_LIST_IMPORT_ROWS = 300
/**
 * The maximum number of characters of a cell. It is above the maximum length of a name (255), so that a
 * name that is too long is an error of its row, and not of the whole request.
 */
export const MAX_MEMBER_LIST_CELL_LENGTH = 300
const MAX_CARD_DAYS = 90
export const DEFAULT_LOG_IN_CARD_VALIDITY_DAYS = 30

/**
 * A row of the list as the admin has entered it. `checkMemberListAndSuggestHandles` reports what is wrong
 * with the row.
 */
const GivenRow = v.object({
  name: createOptionalTextSchema(MAX_MEMBER_LIST_CELL_LENGTH),
  group: createOptionalTextSchema(MAX_MEMBER_LIST_CELL_LENGTH),
  handle: createOptionalTextSchema(MAX_MEMBER_LIST_CELL_LENGTH),
})
export type MemberListImportInputRow = v.InferOutput<typeof GivenRow>

const rowsSchema = createLimitedArraySchema(GivenRow, MAX_MEMBER_LIST_IMPORT_ROWS)

const RowErrorOrWarning = v.object({
  kind: v.picklist(['error', 'warning']),
  column: v.picklist(['name', 'group', 'handle']),
  message: v.string(),
})
export type MemberListRowErrorOrWarning = v.InferOutput<typeof RowErrorOrWarning>

/** A row after the checks. */
export const checkedMemberListRowSchema = v.object({
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
export type CheckedMemberListRow = v.InferOutput<typeof checkedMemberListRowSchema>

const ListPreview = v.object({
  rows: v.array(checkedMemberListRowSchema),
  /** The groups that the rows name. `create` creates those with `is_new`, which do not exist yet. */
  groups: v.array(v.object({ name: v.string(), is_new: v.boolean(), members: v.number() })),
})
export type MemberListImportPreviewResponse = v.InferOutput<typeof ListPreview>

export const memberListImportSummarySchema = v.object({
  id: v.number(),
  title: v.nullable(v.string()),
  /** Null after the account of the admin has been deleted. */
  created_by: v.nullable(personSchema),
  created_at: isoTimestampSchema,
  members: v.number(),
  /** The number of members who have used their card, or have a password from the operator. */
  arrived: v.number(),
})
export type MemberListImportSummary = v.InferOutput<typeof memberListImportSummarySchema>

const ListedCard = v.object({
  ...personSchema.entries,
  handle: v.string(),
  /** When the member first logged in with the card, or the operator set a password; null before that. */
  used_at: v.nullable(isoTimestampSchema),
  expires_at: isoTimestampSchema,
  /**
   * Whether the member can still log in with the card. False if it is used or expired, or if its maker is no
   * longer an admin.
   */
  is_open: v.boolean(),
})
export type MemberWithLogInCardState = v.InferOutput<typeof ListedCard>

/** A new card with its code. Only the response that creates it contains the code. */
export const logInCardWithCodeSchema = v.object({
  user_id: v.number(),
  name: v.string(),
  handle: v.string(),
  group: v.nullable(v.string()),
  code: v.string(),
  /** The address of the welcome page, with the code in its fragment. */
  link: v.string(),
})
export type LogInCardWithCode = v.InferOutput<typeof logInCardWithCodeSchema>

export const createdLogInCardsSchema = v.object({
  cards: v.array(logInCardWithCodeSchema),
  expires_at: isoTimestampSchema,
})
export type CreatedLogInCards = v.InferOutput<typeof createdLogInCardsSchema>

const daysSchema = v.optional(
  v.pipe(idSchema, v.maxValue(MAX_CARD_DAYS, 'invalid')),
  DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
)

export const memberListImportEndpoints = {
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
    createdLogInCardsSchema,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  list: defineEndpoint(
    'GET /api/admin/member-lists',
    'admin',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(memberListImportSummarySchema),
    { paginated: true },
  ),
  /** Lists the members of a list, ordered by id. */
  members: defineEndpoint(
    'GET /api/admin/member-lists/:id/members',
    'admin',
    v.object({
      ...idInputSchema.entries,
      ...createPaginationParameterFields(MAX_MEMBER_LIST_IMPORT_ROWS, MAX_MEMBER_LIST_IMPORT_ROWS),
    }),
    v.array(ListedCard),
    { paginated: true },
  ),
  /** Makes new cards for all members of a list who have not logged in yet. Their old cards end. */
  renew: defineEndpoint(
    'POST /api/admin/member-lists/:id/cards',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    createdLogInCardsSchema,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  /** Makes a new card for one member who has not logged in yet. The old card ends. */
  renewOne: defineEndpoint(
    'POST /api/admin/users/:id/card',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    createdLogInCardsSchema,
    { status: 201, limits: [{ max: 60, by: 'account' }], needsConfirmation: true },
  ),
}
