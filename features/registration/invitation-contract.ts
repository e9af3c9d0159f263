import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createPageParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  timestampSchema,
} from '#core/contract.ts'
import { ListedUser, Person } from '#features/people/contract.ts'

export const MAX_INVITATION_USES = 1000
const MAX_INVITATION_DAYS = 90

export const Invitation = v.object({
  id: v.number(),
  note: v.nullable(v.string()),
  max_uses: v.number(),
  uses: v.number(),
  /** Null after the account of the admin has been deleted. */
  created_by: v.nullable(Person),
  created_at: timestampSchema,
  expires_at: timestampSchema,
  /** Whether somebody can still register with it. */
  is_open: v.boolean(),
})
export type Invitation = v.InferOutput<typeof Invitation>

export const CreatedInvitation = v.object({
  invitation: Invitation,
  /** Only this response contains the code. */
  code: v.string(),
  /** The address of the registration page, with the code in its fragment. */
  link: v.string(),
})
export type CreatedInvitation = v.InferOutput<typeof CreatedInvitation>

export const invitationEndpoints = {
  /** Tells whether somebody can register with a code. Has one answer for all codes that are not valid. */
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
    v.object(createPageParameterFields(50, 200)),
    v.array(Invitation),
    { paginated: true },
  ),
  create: defineEndpoint(
    'POST /api/admin/invitations',
    'admin',
    v.object({
      note: createOptionalTextSchema(200),
      max_uses: v.pipe(idSchema, v.maxValue(MAX_INVITATION_USES, 'invalid')),
      /** The invitation ends after so many days. */
      days: v.optional(v.pipe(idSchema, v.maxValue(MAX_INVITATION_DAYS, 'invalid')), 7),
    }),
    CreatedInvitation,
    { status: 201, limits: [{ max: 60, by: 'account' }] },
  ),
  /** Ends an invitation early. Does nothing if it has ended already. */
  end: defineEndpoint('DELETE /api/admin/invitations/:id', 'admin', idInputSchema, Invitation, {
    errorStatuses: [404],
  }),
  /** Lists the members who have registered with an invitation, by id. */
  members: defineEndpoint(
    'GET /api/admin/invitations/:id/members',
    'admin',
    v.object({ ...idInputSchema.entries, ...createPageParameterFields(100, 500) }),
    v.array(ListedUser),
    { paginated: true, errorStatuses: [404] },
  ),
}
