import type { Handlers } from '#core/http/endpoints.ts'
import { listAttempts } from './attempts.ts'
import type { guardianEndpoints } from './contract.ts'
import { decideContact, markPageSeen } from './decisions.ts'
import * as read from './read.ts'
import { listContacts } from './read-contacts.ts'

export const guardianHandlers: Handlers<typeof guardianEndpoints> = {
  own: async (context) => (await read.getMarks(context, [context.me.id])).get(context.me.id) ?? null,
  children: (context) => read.listChildren(context),
  requests: (context) => read.listRequests(context),
  see: async (context) => {
    await markPageSeen(context)
    return undefined
  },
  contacts: (context) => listContacts(context, context.input),
  groups: (context) => read.listGroups(context, context.input),
  notices: (context) => read.listNotices(context, context.input),
  attempts: (context) => listAttempts(context, context.input.id),
  decide: (context) => decideContact(context, context.input),
}
