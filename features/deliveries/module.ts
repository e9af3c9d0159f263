import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { deleteOldDeliveryTraces } from './cleanup.ts'
import { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { deliveryExportSection } from './export.ts'
import { deliveryDomainEventListeners } from './listeners.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { getOrCreateDeliveryCountRecorder } from './recorder.ts'
import { deliveryEndpointHandlers, deliveryHealthEndpointHandlers } from './routes.ts'
import { deliveriesMigrations } from './tables.ts'

export const deliveriesModule = defineFeatureModule({
  name: 'deliveries',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  migrations: deliveriesMigrations,
  exportSection: deliveryExportSection,
  contracts: { deliveries: deliveryEndpoints, deliveryHealth: deliveryHealthEndpoints },
  routes: () => ({ deliveries: deliveryEndpointHandlers, deliveryHealth: deliveryHealthEndpointHandlers }),
  listeners: deliveryDomainEventListeners,
  startBackgroundWork(context) {
    const recorder = getOrCreateDeliveryCountRecorder(context)
    context.realtime.onTracedDelivery(recorder.addLive)
    const cleanup = startHourlyCleanup(
      context,
      (signal) => deleteOldDeliveryTraces(context.db, { signal }),
      'Old traces of deliveries could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([recorder.flush(), cleanup.close()]) }
  },
})
