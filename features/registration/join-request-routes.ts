import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { approveJoinRequest, listJoinRequestsWaitingForAdmin, refuseJoinRequest } from './join-decisions.ts'
import type { joinDecisionEndpoints, joinRequestEndpoints } from './join-request-contract.ts'
import {
  createJoinRequestAndReturnToken,
  readJoinRequestState,
  verifyEmailOfJoinRequest,
} from './join-requests.ts'

export const joinRequestEndpointHandlers: EndpointHandlers<typeof joinRequestEndpoints> = {
  create: async (context) => ({ token: await createJoinRequestAndReturnToken(context) }),
  state: ({ db, input }) => readJoinRequestState(db, input.token),
  verify: (context) => verifyEmailOfJoinRequest(context, context.input.token),
}

export const joinDecisionEndpointHandlers: EndpointHandlers<typeof joinDecisionEndpoints> = {
  list: async (context) =>
    listJoinRequestsWaitingForAdmin(context, context.input, await context.session.isConfirmed()),
  approve: async (context) => ({ user: await approveJoinRequest(context, context.input.id) }),
  refuse: async (context) => {
    await refuseJoinRequest(context, context.input)
  },
}
