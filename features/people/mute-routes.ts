import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { muteEndpoints } from './mute-contract.ts'
import { listMutedPeople, muteMember, unmuteMember } from './mutes.ts'

export const muteEndpointHandlers: EndpointHandlers<typeof muteEndpoints> = {
  list: (context) => listMutedPeople(context, context.input),
  mute: async (context) => {
    await muteMember(context, context.input.id)
    return { status: 'muted' }
  },
  unmute: async (context) => {
    await unmuteMember(context, context.input.id)
    return { status: 'unmuted' }
  },
}
