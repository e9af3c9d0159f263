import {
  type Invitation,
  invitationEndpoints,
  MAX_ADMIN_INVITATION_USES,
  MAX_MEMBER_INVITATION_USES,
  ownInvitationEndpoints,
} from '#features/registration/invitation-contract.ts'
import { callEndpoint, type FetchedListPage, fetchListPage } from '#web/api.ts'

const readForm = (form: FormData) => ({
  note: String(form.get('note')),
  max_uses: String(form.get('max_uses')),
  days: String(form.get('days')),
})

/**
 * The functions and limits with which the admin page lists, creates and ends the invitations of all members.
 */
const allInvitations = {
  queryKey: [invitationEndpoints.list.path],
  /** True for the invitations page of admins, false for the one of members. */
  isForAdmins: true,
  maxUses: MAX_ADMIN_INVITATION_USES,
  dayChoices: [1, 7, 30, 90],
  fetchPage: async (from: string | null): Promise<InvitationPage> => ({
    ...(await fetchListPage(invitationEndpoints.list, {}, from)),
    mayInvite: true,
  }),
  create: (form: FormData) =>
    callEndpoint(invitationEndpoints.create, {
      ...readForm(form),
      group_id: String(form.get('group_id') ?? ''),
    }),
  end: (id: number) => callEndpoint(invitationEndpoints.end, { id }),
}

/**
 * The type of the objects with which a page lists, creates and ends invitations: functions, and the limits of
 * the form.
 */
export type InvitationPageFunctionsAndLimits = typeof allInvitations

interface InvitationPage extends FetchedListPage<Invitation[]> {
  /** Whether the settings let the current member create invitations. */
  mayInvite: boolean
}

/**
 * The functions and limits with which the members' page lists, creates and ends the invitations of the
 * current member.
 */
const ownInvitations: InvitationPageFunctionsAndLimits = {
  queryKey: [ownInvitationEndpoints.list.path],
  isForAdmins: false,
  maxUses: MAX_MEMBER_INVITATION_USES,
  dayChoices: [1, 7, 30],
  async fetchPage(from) {
    const { rows, next } = await fetchListPage(ownInvitationEndpoints.list, {}, from)
    return { rows: rows.invitations, next, mayInvite: rows.may_invite }
  },
  create: (form) => callEndpoint(ownInvitationEndpoints.create, readForm(form)),
  end: (id) => callEndpoint(ownInvitationEndpoints.end, { id }),
}

export const allAndOwnInvitationPageFunctionsAndLimits = { all: allInvitations, own: ownInvitations }
