import {
  type Invitation,
  invitationEndpoints,
  MAX_ADMIN_USES,
  MAX_MEMBER_USES,
  ownInvitationEndpoints,
} from '#features/registration/contract.ts'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'

const readForm = (form: FormData) => ({
  note: String(form.get('note')),
  max_uses: String(form.get('max_uses')),
  days: String(form.get('days')),
})

const allInvitations = {
  queryKey: [invitationEndpoints.list.path],
  /** False on the page of members. */
  isForAdmins: true,
  maxUses: MAX_ADMIN_USES,
  dayChoices: [1, 7, 30, 90],
  fetchPage: async (from: string | null): Promise<InvitationPage> => ({
    ...(await fetchPage(invitationEndpoints.list, {}, from)),
    mayInvite: true,
  }),
  create: (form: FormData) =>
    callEndpoint(invitationEndpoints.create, {
      ...readForm(form),
      group_id: String(form.get('group_id') ?? ''),
    }),
  end: (id: number) => callEndpoint(invitationEndpoints.end, { id }),
}

/** Functions and limits with which a page lists, creates and ends invitations. */
export type InvitationSource = typeof allInvitations

interface InvitationPage extends ListPage<Invitation[]> {
  /** False if the settings do not let the current member create invitations. */
  mayInvite: boolean
}

const ownInvitations: InvitationSource = {
  queryKey: [ownInvitationEndpoints.list.path],
  isForAdmins: false,
  maxUses: MAX_MEMBER_USES,
  dayChoices: [1, 7, 30],
  async fetchPage(from) {
    const { rows, next } = await fetchPage(ownInvitationEndpoints.list, {}, from)
    return { rows: rows.invitations, next, mayInvite: rows.may_invite }
  },
  create: (form) => callEndpoint(ownInvitationEndpoints.create, readForm(form)),
  end: (id) => callEndpoint(ownInvitationEndpoints.end, { id }),
}

export const invitationSources = { all: allInvitations, own: ownInvitations }
