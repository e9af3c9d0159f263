import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { blockEndpoints } from './block-contract.ts'
import { blockMember, listBlockedPeople, unblockMember } from './blocks.ts'

export const blockEndpointHandlers: EndpointHandlers<typeof blockEndpoints> = {
  list: (context) => listBlockedPeople(context, context.input),
  block: async (context) => {
    await blockMember(context, context.input.id)
    return { status: 'blocked' }
  },
  unblock: async (context) => {
    await unblockMember(context, context.input.id)
    return { status: 'unblocked' }
  },
}
