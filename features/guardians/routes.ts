import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { listAttempts } from './attempts.ts'
import type { guardianEndpoints } from './contract.ts'
import { markGuardianPageAsSeen, saveGuardianDecisionAndReturnContact } from './decisions.ts'
import {
  listChildrenOfGuardian,
  listGroupsOfChild,
  listNoticesAboutChild,
  listWaitingContactRequestsOfGuardian,
  readChildAccountMarksByAccountId,
} from './read.ts'
import { listContactsOfChild } from './read-contacts.ts'

export const guardianEndpointHandlers: EndpointHandlers<typeof guardianEndpoints> = {
  own: async (context) =>
    (await readChildAccountMarksByAccountId(context, [context.me.id])).get(context.me.id) ?? null,
  children: (context) => listChildrenOfGuardian(context),
  requests: (context) => listWaitingContactRequestsOfGuardian(context),
  see: async (context) => {
    await markGuardianPageAsSeen(context)
    return undefined
  },
  contacts: (context) => listContactsOfChild(context, context.input),
  groups: (context) => listGroupsOfChild(context, context.input),
  notices: (context) => listNoticesAboutChild(context, context.input),
  attempts: (context) => listAttempts(context, context.input.id),
  decide: (context) => saveGuardianDecisionAndReturnContact(context, context.input),
}
