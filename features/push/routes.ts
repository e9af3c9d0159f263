import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import type { pushEndpoints } from './contract.ts'
import {
  deleteGoneSubscription,
  deleteOwnSubscription,
  recordSentAndDeleteItems,
  savePrivacy,
  saveSubscription,
} from './model.ts'
import { createTestPayload } from './payload.ts'
import { sendPushRequest } from './push-service.ts'
import { findOwnSubscription, readPushSettings } from './read.ts'

/** The time in seconds for which a push service keeps a test message. */
const TEST_TTL = 60

async function sendTest(context: RequestContext<(typeof pushEndpoints)['test']>) {
  const { db, config, input, lang, publicSite, log } = context
  const target = await findOwnSubscription(context, input.id)
  if (!target) throw httpErrors.notFound()
  const payload = createTestPayload(publicSite, lang)
  try {
    const { status } = await sendPushRequest(config, target, { ttl: TEST_TTL, urgency: 'high', payload })
    if (status === 404 || status === 410) {
      await deleteGoneSubscription(db, target)
      return { result: 'gone' as const }
    }
    if (status < 200 || status > 299) return { result: 'failed' as const }
    await recordSentAndDeleteItems(db, target.id)
    return { result: 'sent' as const }
  } catch (error) {
    log.info({ reason: (error as Error).message }, 'A push service did not take a test')
    return { result: 'failed' as const }
  }
}

export const pushRoutes: EndpointHandlers<typeof pushEndpoints> = {
  settings: (context) => readPushSettings(context),
  update: async (context) => {
    await savePrivacy(context, context.input.privacy)
    return readPushSettings(context)
  },
  subscribe: (context) => saveSubscription(context, context.input),
  unsubscribe: (context) => deleteOwnSubscription(context, context.input.id),
  test: sendTest,
}
