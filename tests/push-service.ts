import { onTestFinished } from 'vitest'
import { startServiceOnPort } from '#tests/push-service-server.ts'

export type { PushBrowser, PushService } from '#tests/push-service-server.ts'

/** Opens a simulated push service, returns it, and closes it after the test. */
export async function startPushService() {
  const service = await startServiceOnPort()
  onTestFinished(() => service.close())
  return service
}
