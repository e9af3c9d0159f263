import { endpoints } from '#core/contract.ts'
import type { phoneSchemas, rollCallSchemas } from './schemas.ts'

export type {
  AskedPerson,
  BoardCounts,
  BoardMember,
  OwnPhone,
  PhoneAudience,
  RollCall,
  RollCallAnswer,
  RollCallDetails,
  RollCallState,
} from './schemas.ts'

export const MAX_TITLE = 200
export const MAX_WORDS = 500
export const MAX_PLACE = 100
/** For how long an answer may have waited for a connection, in seconds. */
export const MAX_WAITED = 30 * 24 * 3600
/** Of one person in one roll call. */
export const MAX_ANSWERS = 200
/** Groups of the board, and groups among which an admin chooses. */
export const MAX_GROUPS = 100

export const rollCallEndpoints = endpoints<typeof rollCallSchemas>({
  list: 'GET /api/roll-calls',
  scopes: 'GET /api/roll-calls/scopes',
  start: 'POST /api/roll-calls',
  show: 'GET /api/roll-calls/:id',
  answer: 'PUT /api/roll-calls/:id/answer',
  board: 'GET /api/roll-calls/:id/board',
  members: 'GET /api/roll-calls/:id/members',
  end: 'POST /api/roll-calls/:id/end',
  report: 'GET /api/roll-calls/:id/report',
  numbers: 'GET /roll-calls/numbers',
  page: 'GET /roll-calls/answer/:token',
  confirm: 'POST /roll-calls/answer/:token',
})

export const phoneEndpoints = endpoints<typeof phoneSchemas>({
  own: 'GET /api/account/phone',
  save: 'PUT /api/account/phone',
  of: 'GET /api/users/:id/phone',
})

/** For admins, and for the owner of the group. */
export const rollCallChannels = { board: { name: 'private-roll-call.:call' } } as const
