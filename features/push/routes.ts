import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { tooManyRequests } from '#core/http/rate-limits.ts'
import * as sessions from '#features/people/sessions.ts'
import type { pushEndpoints } from './contract.ts'
import { removeDevice, savePrivacy, saveSubscription } from './model.ts'
import { testPayload } from './payload.ts'
import { REQUEST_TIMEOUT, sendPushRequest } from './push-service.ts'
import * as read from './read.ts'
import * as results from './results.ts'

/** In seconds, for a device that is switched off. */
const TEST_TTL = 60

type TestContext = RequestContext<(typeof pushEndpoints)['test']>

async function sendTest(context: TestContext) {
  const { db, input, lang, me, publicSite, log } = context
  const target = await read.findOwn(context, input.id)
  if (!target) throw httpErrors.notFound()
  const device = { ...target, name: await sessions.findDevice(db, target.session_hash) }
  const payload = testPayload(publicSite, { lang, user_id: me.id })
  try {
    const { status } = await sendPushRequest(context, target, { ttl: TEST_TTL, urgency: 'high', payload })
    if (status === 404 || status === 410) {
      await results.deleteGone(context, device, status)
      return { result: 'gone' as const }
    }
    if (status < 200 || status > 299) {
      await results.refuse(context, device, [], status)
      return { result: 'failed' as const }
    }
    await results.accept(context, device)
    return { result: 'sent' as const }
  } catch (error) {
    log.info({ reason: (error as Error).message }, 'A push service did not take a test')
    return { result: 'failed' as const }
  }
}

/** 429 during another test of the member: a member's slow push service cannot occupy many connections. */
function createTestSender() {
  const members = new Set<number>()
  return async (context: TestContext) => {
    const { id } = context.me
    if (members.has(id)) throw tooManyRequests(REQUEST_TIMEOUT / 1000)
    members.add(id)
    try {
      return await sendTest(context)
    } finally {
      members.delete(id)
    }
  }
}

export const pushHandlers = (): Handlers<typeof pushEndpoints> => ({
  settings: (context) => read.getSettings(context),
  update: async (context) => {
    await savePrivacy(context, context.input.privacy)
    return read.getSettings(context)
  },
  subscribe: (context) => saveSubscription(context, context.input),
  unsubscribe: (context) => removeDevice(context, context.input.id),
  test: createTestSender(),
})
