import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { guardianEndpoints } from './contract.ts'
import { decideAboutContact, markGuardianPageAsSeen } from './decisions.ts'
import {
  listChildrenOfGuardian,
  listGroupsOfChild,
  listNoticesOfChild,
  listWaitingRequests,
  readChildMarks,
} from './read.ts'
import { listContactsOfChild } from './read-contacts.ts'

export const guardianHandlers: EndpointHandlers<typeof guardianEndpoints> = {
  own: async (context) => (await readChildMarks(context, [context.me.id])).get(context.me.id) ?? null,
  children: (context) => listChildrenOfGuardian(context),
  requests: (context) => listWaitingRequests(context),
  see: async (context) => {
    await markGuardianPageAsSeen(context)
    return undefined
  },
  contacts: (context) => listContactsOfChild(context, context.input),
  groups: (context) => listGroupsOfChild(context, context.input),
  notices: (context) => listNoticesOfChild(context, context.input),
  decide: (context) => decideAboutContact(context, context.input),
}
