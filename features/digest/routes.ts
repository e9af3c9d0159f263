import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { digestEndpoints } from './contract.ts'
import { readDigestSettings, saveOwnFrequency, unsubscribe } from './settings.ts'

export const digestRoutes: EndpointHandlers<typeof digestEndpoints> = {
  settings: (context) => readDigestSettings(context),
  save: async (context) => {
    await saveOwnFrequency(context, context.input.frequency)
    return readDigestSettings(context)
  },
  unsubscribe: (context) => unsubscribe(context, context.input.token),
}
