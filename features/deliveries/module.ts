import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { deleteOldTraces } from './cleanup.ts'
import { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { deliveryListeners } from './listeners.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { getRecorder } from './recorder.ts'
import { deliveryHandlers, healthHandlers } from './routes.ts'
import { deliveryHealthSchemas, deliverySchemas } from './schemas.ts'
import { deliveryMigrations } from './tables.ts'

export const deliveriesModule = defineFeature({
  name: 'deliveries',
  pages: pageDefinitions,
  pageSections,
  migrations: deliveryMigrations,
  exportSection: exportSection,
  contracts: {
    deliveries: [deliveryEndpoints, deliverySchemas],
    deliveryHealth: [deliveryHealthEndpoints, deliveryHealthSchemas],
  },
  routes: () => ({ deliveries: deliveryHandlers, deliveryHealth: healthHandlers }),
  listeners: deliveryListeners,
  startBackgroundWork(context) {
    const recorder = getRecorder(context)
    context.realtime.onTracedDelivery(recorder.addLive)
    const cleanup = startHourly(
      context,
      (signal) => deleteOldTraces(context.db, { signal }),
      'Old traces of deliveries could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([recorder.flush(), cleanup.close()]) }
  },
})
