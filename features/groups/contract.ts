import { endpoints } from '#core/contract.ts'
import type {
  descriptionSchemas,
  endingSchemas,
  groupSchemas,
  ownerSchemas,
  pictureSchemas,
  slowModeSchemas,
  writersSchemas,
} from './schemas.ts'

export type { AdminGroup, Group, GroupMember, SlowModeSeconds } from './schemas.ts'

export const groupEndpoints = endpoints<typeof groupSchemas>({
  members: 'GET /api/groups/:id/members',
  all: 'GET /api/admin/groups',
  leave: 'POST /api/groups/:id/leave',
  create: 'POST /api/groups',
  rename: 'PUT /api/groups/:id',
  remove: 'DELETE /api/groups/:id',
  addUser: 'POST /api/groups/:id/add-user',
  removeMember: 'DELETE /api/groups/:id/members/:user',
})

/** Per member without admin rights, at a time. */
export const MAX_OWNED_GROUPS = 20
export const MAX_DESCRIPTION = 500
/** Seconds between two messages of a member; 0 turns slow mode off. */
export const slowModeChoices = [0, 10, 30, 60, 300, 900, 3600] as const

export const slowModeEndpoints = endpoints<typeof slowModeSchemas>({
  set: 'PUT /api/groups/:id/slow-mode',
})

/** Added or removed at once. */
export const MAX_WRITERS = 500

export const writersEndpoints = endpoints<typeof writersSchemas>({
  set: 'PUT /api/groups/:id/writers',
})

export const endingEndpoints = endpoints<typeof endingSchemas>({
  set: 'PUT /api/groups/:id/ending',
})

export const descriptionEndpoints = endpoints<typeof descriptionSchemas>({
  set: 'PUT /api/groups/:id/description',
})

export const ownerEndpoints = endpoints<typeof ownerSchemas>({
  set: 'PUT /api/groups/:id/owner',
})

export const pictureEndpoints = endpoints<typeof pictureSchemas>({
  save: 'POST /api/groups/:id/picture',
  remove: 'DELETE /api/groups/:id/picture',
})
