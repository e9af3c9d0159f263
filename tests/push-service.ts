import { onTestFinished } from 'vitest'
import { openPushService } from '#tests/push-service-server.ts'

export type { PushBrowser, PushService } from '#tests/push-service-server.ts'

/** Opens a push service, and closes it after the test. */
export async function startPushService() {
  const service = await openPushService()
  onTestFinished(() => service.close())
  return service
}
