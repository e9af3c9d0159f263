import { toChannelName } from '#core/contract.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { channels, type publicChatEndpoints } from './contract.ts'

export const publicChatRoutes: EndpointHandlers<typeof publicChatEndpoints> = {
  send: ({ realtime, input: { message } }) => {
    realtime.broadcast([toChannelName(channels.publicChat)], 'MessageSent', { message })
    return { status: 'Message broadcasted!' }
  },
}
