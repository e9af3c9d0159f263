import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { createTooManyRequestsError } from '#core/http/rate-limits.ts'
import { readBrowserAndSystemTextOfSession } from '#features/people/sessions.ts'
import type { pushEndpoints } from './contract.ts'
import { deleteOwnPushSubscription, savePushPrivacy, savePushSubscription } from './model.ts'
import { createPushPayloadForTestButton } from './payload.ts'
import { PUSH_REQUEST_TIMEOUT, sendPushRequest } from './push-service.ts'
import { findOwnPushSubscription, readPushKeyPrivacyAndDevices } from './read.ts'
import {
  deleteGonePushSubscription,
  recordAcceptedAndDeletePushItems,
  recordRefusedAndDeletePushItems,
} from './results.ts'

/** The time in seconds for which the push service keeps a test message for a device that is switched off. */
const TEST_TTL = 60

type TestContext = RequestContext<(typeof pushEndpoints)['test']>

async function sendTest(context: TestContext) {
  const { db, input, lang, me, publicSite, log } = context
  const target = await findOwnPushSubscription(context, input.id)
  if (!target) throw httpErrorFactories.notFound()
  const device = { ...target, name: await readBrowserAndSystemTextOfSession(db, target.session_hash) }
  const payload = createPushPayloadForTestButton(publicSite, { lang, user_id: me.id })
  try {
    const { status } = await sendPushRequest(context, target, { ttl: TEST_TTL, urgency: 'high', payload })
    if (status === 404 || status === 410) {
      await deleteGonePushSubscription(context, device, status)
      return { result: 'gone' as const }
    }
    if (status < 200 || status > 299) {
      await recordRefusedAndDeletePushItems(context, device, [], status)
      return { result: 'failed' as const }
    }
    await recordAcceptedAndDeletePushItems(context, device)
    return { result: 'sent' as const }
  } catch (error) {
    log.info({ reason: (error as Error).message }, 'A push service did not take a test')
    return { result: 'failed' as const }
  }
}

/**
 * Returns a function that sends a test message to a device. The function throws 429 while this process sends
 * another test of the same member, so that members with slow push services of their own cannot occupy many
 * connections.
 */
function createTestSender() {
  const members = new Set<number>()
  return async (context: TestContext) => {
    const { id } = context.me
    if (members.has(id)) throw createTooManyRequestsError(PUSH_REQUEST_TIMEOUT / 1000)
    members.add(id)
    try {
      return await sendTest(context)
    } finally {
      members.delete(id)
    }
  }
}

export const createPushEndpointHandlers = (): EndpointHandlers<typeof pushEndpoints> => ({
  settings: (context) => readPushKeyPrivacyAndDevices(context),
  update: async (context) => {
    await savePushPrivacy(context, context.input.privacy)
    return readPushKeyPrivacyAndDevices(context)
  },
  subscribe: (context) => savePushSubscription(context, context.input),
  unsubscribe: (context) => deleteOwnPushSubscription(context, context.input.id),
  test: createTestSender(),
})
