import { type Channels, endpoints } from '#core/contract.ts'
import type { publicSchemas } from './schemas.ts'

export type { PublicMessage, Writer } from './schemas.ts'

export const MAX_LENGTH = 1000

export const publicEndpoints = endpoints<typeof publicSchemas>({
  send: 'POST /api/send-message',
  report: 'POST /api/public-chat/reports',
})

export const publicChannels = {
  publicChat: { name: 'chat' },
} as const satisfies Channels
