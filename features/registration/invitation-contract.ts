import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idOrEmptyStringSchema,
  idSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { listedUserSchema, personSchema } from '#features/people/contract.ts'

export const MAX_ADMIN_INVITATION_USES = 1000
export const MAX_INVITATION_DAYS = 90
/** The number of days for which an invitation is valid if nobody says another one. */
export const INVITATION_DAYS = 7
/**
 * The limits for the invitations of members who are not admins: at most so many uses for each invitation, and
 * at most so many open invitations for each member.
 */
export const MAX_MEMBER_INVITATION_USES = 10
export const MAX_OPEN_INVITATIONS_PER_MEMBER = 5
const MAX_MEMBER_INVITATION_DAYS = 30

export const invitationSchema = v.object({
  id: v.number(),
  note: v.nullable(v.string()),
  max_uses: v.number(),
  uses: v.number(),
  /** The member who made the invitation; null after that member's account has been deleted. */
  created_by: v.nullable(personSchema),
  /** The id of the group to which people are added who register with the invitation; null for no group. */
  group_id: v.nullable(v.number()),
  created_at: isoTimestampSchema,
  expires_at: isoTimestampSchema,
  /** Whether people can register with the invitation now. */
  is_open: v.boolean(),
  /**
   * Whether nobody can register with the invitation because the member who made it may not invite people now.
   */
  is_paused: v.boolean(),
})
export type Invitation = v.InferOutput<typeof invitationSchema>

/**
 * The schema of the response that lists a member's own invitations, and says whether the settings let members
 * make invitations.
 */
const OwnInvitations = v.object({ may_invite: v.boolean(), invitations: v.array(invitationSchema) })
export type OwnInvitationsResponse = v.InferOutput<typeof OwnInvitations>

export const createdInvitationWithCodeAndLinkSchema = v.object({
  invitation: invitationSchema,
  /**
   * The code of the new invitation. Only this response contains the code, because the server stores only its
   * hash.
   */
  code: v.string(),
  /** The URL of the registration page, with the code of the invitation in its fragment. */
  link: v.string(),
})
export type CreatedInvitationWithCodeAndLink = v.InferOutput<typeof createdInvitationWithCodeAndLinkSchema>

/**
 * The endpoints for the invitations that the calling member has made. `create` works only if the settings let
 * members make invitations; `list` and `end` always work.
 */
export const ownInvitationEndpoints = {
  list: defineEndpoint(
    'GET /api/invitations',
    'member',
    v.object(createPaginationParameterFields(50, 200)),
    OwnInvitations,
    { paginated: true },
  ),
  create: defineEndpoint(
    'POST /api/invitations',
    'member',
    v.object({
      note: createOptionalTextSchema(200),
      max_uses: v.pipe(idSchema, v.maxValue(MAX_MEMBER_INVITATION_USES, 'invalid')),
      /** The number of days for which the new invitation is valid. */
      days: v.optional(v.pipe(idSchema, v.maxValue(MAX_MEMBER_INVITATION_DAYS, 'invalid')), INVITATION_DAYS),
    }),
    createdInvitationWithCodeAndLinkSchema,
    { status: 201, limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
  /** Ends an invitation that the member has made, before it expires. Does nothing if it has ended already. */
  end: defineEndpoint('DELETE /api/invitations/:id', 'member', idInputSchema, invitationSchema, {
    errorStatuses: [404],
  }),
}

/** The input of a new invitation of the admins, or of the operator at the command line. */
export const newInvitationSchema = v.object({
  note: createOptionalTextSchema(200),
  max_uses: v.pipe(idSchema, v.maxValue(MAX_ADMIN_INVITATION_USES, 'invalid')),
  /** The number of days for which the new invitation is valid. */
  days: v.optional(v.pipe(idSchema, v.maxValue(MAX_INVITATION_DAYS, 'invalid')), INVITATION_DAYS),
})

export const invitationEndpoints = {
  /**
   * Responds with 204 if somebody can register with the invitation code, and with the same 422 error for all
   * codes that are not valid.
   */
  check: defineEndpoint(
    'POST /api/invitations/check',
    'anyone',
    v.object({ invitation: createRequiredTextSchema(100) }),
    v.undefined(),
    { status: 204, limits: [{ max: 30, by: 'address' }] },
  ),
  list: defineEndpoint(
    'GET /api/admin/invitations',
    'admin',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(invitationSchema),
    { paginated: true },
  ),
  create: defineEndpoint(
    'POST /api/admin/invitations',
    'admin',
    v.object({
      ...newInvitationSchema.entries,
      /**
       * The id of a group to which the admin belongs. People who register with the invitation are added to
       * this group.
       */
      group_id: v.optional(idOrEmptyStringSchema),
    }),
    createdInvitationWithCodeAndLinkSchema,
    { status: 201, limits: [{ max: 60, by: 'account' }], needsConfirmation: true },
  ),
  /** Ends an invitation of any member before it expires. Does nothing if it has ended already. */
  end: defineEndpoint('DELETE /api/admin/invitations/:id', 'admin', idInputSchema, invitationSchema, {
    errorStatuses: [404],
    needsConfirmation: true,
  }),
  /** Lists the members who have registered with an invitation, ordered by their ids. */
  members: defineEndpoint(
    'GET /api/admin/invitations/:id/members',
    'admin',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
}
