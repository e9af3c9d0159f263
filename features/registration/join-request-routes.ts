import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { approveJoinRequest, listJoinRequests, refuseJoinRequest } from './join-decisions.ts'
import type { joinDecisionEndpoints, joinRequestEndpoints } from './join-request-contract.ts'
import { createJoinRequest, readJoinRequestState, verifyJoinRequest } from './join-requests.ts'

export const joinRequestHandlers: EndpointHandlers<typeof joinRequestEndpoints> = {
  create: async (context) => ({ token: await createJoinRequest(context) }),
  state: ({ db, input }) => readJoinRequestState(db, input.token),
  verify: (context) => verifyJoinRequest(context, context.input.token),
}

export const joinDecisionHandlers: EndpointHandlers<typeof joinDecisionEndpoints> = {
  list: (context) => listJoinRequests(context, context.input),
  approve: async (context) => ({ user: await approveJoinRequest(context, context.input.id) }),
  refuse: async (context) => {
    await refuseJoinRequest(context, context.input)
  },
}
