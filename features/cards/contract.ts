import { endpoints } from '#core/contract.ts'
import type { cardSchemas, memberListSchemas } from './schemas.ts'

export type {
  CheckedRow,
  GivenRow,
  ListedCard,
  ListPreview,
  ListSummary,
  NewCard,
  NewCards,
  RowNote,
} from './schemas.ts'

export const cardEndpoints = endpoints<typeof cardSchemas>({
  check: 'POST /api/cards/check',
  passkeyOptions: 'POST /api/cards/passkey-options',
  use: 'POST /api/cards/use',
})

export const MAX_LIST_ROWS = 300
/** Above the maximum length of a name (255): a longer name is an error of its row, not of the request. */
export const MAX_CELL_LENGTH = 300
export const DEFAULT_CARD_DAYS = 30

export const memberListEndpoints = endpoints<typeof memberListSchemas>({
  preview: 'POST /api/admin/member-lists/preview',
  create: 'POST /api/admin/member-lists',
  list: 'GET /api/admin/member-lists',
  members: 'GET /api/admin/member-lists/:id/members',
  renew: 'POST /api/admin/member-lists/:id/cards',
  renewOne: 'POST /api/admin/users/:id/card',
})
