import { channelName } from '#core/contract.ts'
import type { Handlers } from '#core/http.ts'
import { channels, type plaza } from './contract.ts'

export const routes: Handlers<typeof plaza> = {
  send: ({ live, input: { message } }) => {
    live.send([channelName(channels.plaza)], 'MessageSent', { message })
    return { status: 'Message broadcasted!' }
  },
}
