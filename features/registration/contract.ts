import { endpoints } from '#core/contract.ts'
import type {
  decisionSchemas,
  invitationSchemas,
  joinSchemas,
  ownInvitationSchemas,
  pictureSchemas,
  registrationSchemas,
  setupSchemas,
} from './schemas.ts'

export type {
  CreatedInvitation,
  Invitation,
  InvitationsPage,
  JoinSettings,
  JoinState,
  SetupAnswers,
  WaitingRequest,
} from './schemas.ts'

export const registrationEndpoints = endpoints<typeof registrationSchemas>({
  state: 'GET /api/registration',
  register: 'POST /api/register',
})

export const setupEndpoints = endpoints<typeof setupSchemas>({
  state: 'GET /api/setup',
})

/** Groups of four characters in a code. Log-in cards have fewer, so pages can tell the two apart. */
export const INVITATION_GROUPS = 7
export const CARD_GROUPS = 6
export const MAX_ADMIN_USES = 1000
export const MAX_INVITATION_DAYS = 90
/** By default. */
export const INVITATION_DAYS = 7
/** For members who are not admins: uses of each invitation, and open invitations of each member. */
export const MAX_MEMBER_USES = 10
export const MAX_OPEN_INVITATIONS = 5

export const ownInvitationEndpoints = endpoints<typeof ownInvitationSchemas>({
  list: 'GET /api/invitations',
  create: 'POST /api/invitations',
  end: 'DELETE /api/invitations/:id',
})

export const invitationEndpoints = endpoints<typeof invitationSchemas>({
  check: 'POST /api/invitations/check',
  list: 'GET /api/admin/invitations',
  create: 'POST /api/admin/invitations',
  end: 'DELETE /api/admin/invitations/:id',
  members: 'GET /api/admin/invitations/:id/members',
})

export const MAX_ANSWER_LENGTH = 1000
export const MAX_REASON_LENGTH = 500

export const joinEndpoints = endpoints<typeof joinSchemas>({
  create: 'POST /api/join-requests',
  state: 'POST /api/join-requests/state',
  verify: 'POST /api/join-requests/verify',
})

export const decisionEndpoints = endpoints<typeof decisionSchemas>({
  list: 'GET /api/admin/join-requests',
  approve: 'POST /api/admin/join-requests/:id/approve',
  refuse: 'POST /api/admin/join-requests/:id/refuse',
})

export const pictureEndpoints = endpoints<typeof pictureSchemas>({
  save: 'POST /api/admin/community-picture',
  remove: 'DELETE /api/admin/community-picture',
})
