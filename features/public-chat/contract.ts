import * as v from 'valibot'
import { createRequiredTextSchema, defineEndpoint, defineRealtimeChannel } from '#core/contract.ts'

export const MAX_PUBLIC_CHAT_MESSAGE_LENGTH = 1000

export const publicChatEndpoints = {
  send: defineEndpoint(
    'POST /api/send-message',
    'reader',
    v.object({ message: createRequiredTextSchema(MAX_PUBLIC_CHAT_MESSAGE_LENGTH) }),
    v.object({ status: v.literal('Message broadcasted!') }),
    { limits: [{ max: 10, by: 'address' }], errorStatuses: [404] },
  ),
}

export const publicChatChannelDefinitions = {
  publicChat: defineRealtimeChannel('chat', { MessageSent: v.object({ message: v.string() }) }),
}
