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

/** The maximum number of new members in one imported list. */
export const MAX_MEMBER_LIST_IMPORT_ROWS = 300
/**
 * The maximum number of characters of one cell of an imported list. It is above the maximum length of a name
 * (255), so that a name that is too long is an error of its row, and not of the whole request.
 */
export const MAX_MEMBER_LIST_CELL_LENGTH = 300
const MAX_CARD_DAYS = 90
export const DEFAULT_LOG_IN_CARD_VALIDITY_DAYS = 30

/**
 * A row of a list of new members, as the admin has entered it. `checkMemberListAndSuggestHandles`
 * reports what is wrong with the row.
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

/** The schema of a row of a list of new members after the checks. */
export const checkedMemberListRowSchema = v.object({
  name: v.string(),
  group: v.nullable(v.string()),
  /**
   * The handle that the admin has entered in the row, even if it is malformed, or a free handle that the
   * server suggests for the row. Null if no handle could be suggested, for example because the name is
   * missing.
   */
  handle: v.nullable(v.string()),
  is_handle_made: v.boolean(),
  notes: v.array(RowErrorOrWarning),
})
export type CheckedMemberListRow = v.InferOutput<typeof checkedMemberListRowSchema>

const ListPreview = v.object({
  rows: v.array(checkedMemberListRowSchema),
  /**
   * The groups that the rows of the list name. The endpoint `create` creates the groups with `is_new`, which
   * do not exist yet.
   */
  groups: v.array(v.object({ name: v.string(), is_new: v.boolean(), members: v.number() })),
})
export type MemberListImportPreviewResponse = v.InferOutput<typeof ListPreview>

export const memberListImportSummarySchema = v.object({
  id: v.number(),
  title: v.nullable(v.string()),
  /** The admin who imported the list; null after the account of this admin has been deleted. */
  created_by: v.nullable(personSchema),
  created_at: isoTimestampSchema,
  members: v.number(),
  /**
   * The number of members of the list who have used their card, or for whom the operator has set a password.
   */
  arrived: v.number(),
})
export type MemberListImportSummary = v.InferOutput<typeof memberListImportSummarySchema>

const ListedCard = v.object({
  ...personSchema.entries,
  handle: v.string(),
  /**
   * The time when the member first logged in with the card, or the operator set a password; null before that.
   */
  used_at: v.nullable(isoTimestampSchema),
  expires_at: isoTimestampSchema,
  /**
   * Whether the member can still log in with the card. False if the card is used or expired, or if the
   * admin who made it is no longer an admin.
   */
  is_open: v.boolean(),
})
export type MemberWithLogInCardState = v.InferOutput<typeof ListedCard>

/**
 * The schema of a new log-in card with its secret code. Only the response to the request that creates the
 * card contains the code.
 */
export const logInCardWithCodeSchema = v.object({
  user_id: v.number(),
  name: v.string(),
  handle: v.string(),
  group: v.nullable(v.string()),
  code: v.string(),
  /** The URL of the welcome page, with the code of the card after the `#`. */
  link: v.string(),
})
export type LogInCardWithCode = v.InferOutput<typeof logInCardWithCodeSchema>

export const createdLogInCardsAndExpirySchema = v.object({
  cards: v.array(logInCardWithCodeSchema),
  expires_at: isoTimestampSchema,
})
export type CreatedLogInCardsAndExpiry = v.InferOutput<typeof createdLogInCardsAndExpirySchema>

const daysSchema = v.optional(
  v.pipe(idSchema, v.maxValue(MAX_CARD_DAYS, 'invalid')),
  DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
)

export const memberListImportEndpoints = {
  /**
   * Checks the rows of a list of new members, and returns what the endpoint `create` would do with each row.
   * Changes nothing.
   */
  preview: defineEndpoint(
    'POST /api/admin/member-lists/preview',
    'admin',
    v.object({ rows: rowsSchema }),
    ListPreview,
    { limits: [{ max: 60, by: 'account' }] },
  ),
  /**
   * Creates all members of a list and their groups, or nothing if a row has an error. Returns the log-in
   * cards of the members. A repeated request with the same `key` creates nobody: it returns new cards for the
   * members who have not logged in yet, and the cards of the first response become invalid.
   */
  create: defineEndpoint(
    'POST /api/admin/member-lists',
    'admin',
    v.object({
      key: createRequiredTextSchema(100),
      title: createOptionalTextSchema(200),
      /** The number of days after which the cards expire. */
      days: daysSchema,
      rows: rowsSchema,
    }),
    createdLogInCardsAndExpirySchema,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  list: defineEndpoint(
    'GET /api/admin/member-lists',
    'admin',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(memberListImportSummarySchema),
    { paginated: true },
  ),
  /**
   * Returns one page of the members of an imported list, ordered by id, with the state of each member's card.
   */
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
  /**
   * Creates new cards for all members of a list who have not logged in yet, and returns them. The old
   * cards of these members become invalid.
   */
  renew: defineEndpoint(
    'POST /api/admin/member-lists/:id/cards',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    createdLogInCardsAndExpirySchema,
    { status: 201, limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  /**
   * Creates a new card for one member who has not logged in yet, and returns it. The old card becomes
   * invalid.
   */
  renewOne: defineEndpoint(
    'POST /api/admin/users/:id/card',
    'admin',
    v.object({ ...idInputSchema.entries, days: daysSchema }),
    createdLogInCardsAndExpirySchema,
    { status: 201, limits: [{ max: 60, by: 'account' }], needsConfirmation: true },
  ),
}
