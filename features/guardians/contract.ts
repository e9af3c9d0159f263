import { endpoints } from '#core/contract.ts'
import type { guardianSchemas } from './schemas.ts'

export type {
  Attempt,
  AttemptKind,
  ChildContact,
  ChildNotice,
  ChildNoticeKind,
  ContactRequest,
  ContactState,
  GuardedChild,
} from './schemas.ts'

/** Of one child. */
export const MAX_GUARDIANS = 2

export const MAX_CHILDREN = 50

export const MAX_REQUESTS = 100

/** Rows in one response. */
export const MAX_ATTEMPTS = 100

export const guardianEndpoints = endpoints<typeof guardianSchemas>({
  own: 'GET /api/account/guardians',
  children: 'GET /api/guardian/children',
  requests: 'GET /api/guardian/requests',
  see: 'POST /api/guardian/seen',
  contacts: 'GET /api/guardian/children/:id/contacts',
  groups: 'GET /api/guardian/children/:id/groups',
  notices: 'GET /api/guardian/children/:id/notices',
  attempts: 'GET /api/guardian/children/:id/attempts',
  decide: 'PUT /api/guardian/children/:id/contacts/:person',
})
