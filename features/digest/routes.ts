import type { Handlers } from '#core/http/endpoints.ts'
import type { digestEndpoints } from './contract.ts'
import * as digestSettings from './settings.ts'

export const digestHandlers: Handlers<typeof digestEndpoints> = {
  settings: (context) => digestSettings.get(context),
  save: async (context) => {
    await digestSettings.save(context, context.input.frequency)
    return digestSettings.get(context)
  },
  unsubscribe: (context) => digestSettings.unsubscribe(context, context.input.token),
}
