import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { deleteOldDeliveries } from './cleanup.ts'
import { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { deliveryExportSection } from './export.ts'
import { deliveryListeners } from './listeners.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { findDeliveryRecorder } from './recorder.ts'
import { deliveryHandlers, deliveryHealthHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const deliveriesModule = defineModule({
  name: 'deliveries',
  pages,
  sectionsOnOtherPages,
  migrations,
  exportSection: deliveryExportSection,
  contracts: { deliveries: deliveryEndpoints, deliveryHealth: deliveryHealthEndpoints },
  routes: () => ({ deliveries: deliveryHandlers, deliveryHealth: deliveryHealthHandlers }),
  listeners: deliveryListeners,
  startBackgroundWork(context) {
    const recorder = findDeliveryRecorder(context)
    context.realtime.onTracedDelivery(recorder.addLive)
    const cleanup = startHourlyCleanup(
      context,
      () => deleteOldDeliveries(context.db),
      'Old traces of deliveries could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([recorder.flush(), cleanup.close()]) }
  },
})
