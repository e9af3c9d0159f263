import { endpoints } from '#core/contract.ts'
import type { realtimeSchemas } from './auth-schemas.ts'

export const MAX_AUTH_CHANNELS = 10

export const realtimeEndpoints = endpoints<typeof realtimeSchemas>({
  authorise: 'POST /my-broadcast-auth',
  authoriseByLaravelName: 'POST /broadcasting/auth',
  authoriseUser: 'POST /broadcasting/user-auth',
})
