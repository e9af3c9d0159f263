import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { digestEndpoints } from './contract.ts'
import { readDigestSettings, saveOwnFrequency, unsubscribeFromDigests } from './settings.ts'

export const digestHandlers: EndpointHandlers<typeof digestEndpoints> = {
  settings: (context) => readDigestSettings(context),
  save: async (context) => {
    await saveOwnFrequency(context, context.input.frequency)
    return readDigestSettings(context)
  },
  unsubscribe: (context) => unsubscribeFromDigests(context, context.input.token),
}
