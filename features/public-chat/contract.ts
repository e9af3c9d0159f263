import * as v from 'valibot'
import { defineChannel, defineEndpoint, requiredTextSchema } from '#core/contract.ts'

export const MAX_MESSAGE_LENGTH = 1000

export const publicChatEndpoints = {
  send: defineEndpoint(
    'POST /api/send-message',
    'reader',
    v.object({ message: requiredTextSchema(MAX_MESSAGE_LENGTH) }),
    v.object({ status: v.literal('Message broadcasted!') }),
    { limits: [{ max: 10, by: 'address' }] },
  ),
}

export const publicChatChannels = {
  publicChat: defineChannel('chat', { MessageSent: v.object({ message: v.string() }) }),
}
