import * as v from 'valibot'
import { channel, endpoint, text } from '#core/contract.ts'

export const CALL_LENGTH = 1000

export const publicChat = {
  send: endpoint(
    'POST /api/send-message',
    'anyone',
    v.object({ message: text(CALL_LENGTH) }),
    v.object({ status: v.literal('Message broadcasted!') }),
    { limits: [{ most: 10, by: 'address' }] },
  ),
}

export const channels = { plaza: channel('chat', { MessageSent: v.object({ message: v.string() }) }) }
