import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { digestEndpoints } from './contract.ts'
import {
  readDigestFrequencyAndHasVerifiedEmail,
  saveOwnDigestFrequency,
  unsubscribeFromDigests,
} from './settings.ts'

export const digestEndpointHandlers: EndpointHandlers<typeof digestEndpoints> = {
  settings: (context) => readDigestFrequencyAndHasVerifiedEmail(context),
  save: async (context) => {
    await saveOwnDigestFrequency(context, context.input.frequency)
    return readDigestFrequencyAndHasVerifiedEmail(context)
  },
  unsubscribe: (context) => unsubscribeFromDigests(context, context.input.token),
}
