import type { Handlers } from '#core/http/endpoints.ts'
import type { decisionEndpoints, joinEndpoints } from './contract.ts'
import * as joinDecisions from './join-decisions.ts'
import * as joinRequests from './join-requests.ts'

export const joinHandlers: Handlers<typeof joinEndpoints> = {
  create: async (context) => ({ token: await joinRequests.create(context) }),
  state: ({ db, input }) => joinRequests.getState(db, input.token),
  verify: (context) => joinRequests.verify(context, context.input.token),
}

export const decisionHandlers: Handlers<typeof decisionEndpoints> = {
  list: async (context) => joinDecisions.list(context, context.input, await context.session.isConfirmed()),
  approve: async (context) => ({ user: await joinDecisions.approve(context, context.input.id) }),
  refuse: async (context) => {
    await joinDecisions.refuse(context, context.input)
  },
}
