import { fillChannelNameParameters } from '#core/contract.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { publicChatChannelDefinitions, type publicChatEndpoints } from './contract.ts'

export const publicChatEndpointHandlers: EndpointHandlers<typeof publicChatEndpoints> = {
  send: ({ realtime, input: { message } }) => {
    realtime.broadcast([fillChannelNameParameters(publicChatChannelDefinitions.publicChat)], 'MessageSent', {
      message,
    })
    return { status: 'Message broadcasted!' }
  },
}
