import { channelName } from '#core/contract.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { channels, type publicChat } from './contract.ts'

export const routes: Handlers<typeof publicChat> = {
  send: ({ realtime, input: { message } }) => {
    realtime.broadcast([channelName(channels.plaza)], 'MessageSent', { message })
    return { status: 'Message broadcasted!' }
  },
}
