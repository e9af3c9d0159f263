import { onTestFinished } from 'vitest'
import { startSimulatedPushServiceOnFreePort } from '#tests/push-service-server.ts'

export type { SimulatedPushBrowser, SimulatedPushService } from '#tests/push-service-server.ts'

/** Opens a simulated push service, returns it, and closes it after the test. */
export async function startSimulatedPushServiceForTest() {
  const service = await startSimulatedPushServiceOnFreePort()
  onTestFinished(() => service.close())
  return service
}
