import { defineFeatureModule, type FeatureModule } from '#core/module.ts'
import { auditLogDomainEventListeners, listAuditLogPageWithNamesIfViewerIsAdmin } from './audit-log.ts'
import { auditLogEndpoints } from './audit-log-contract.ts'
import { adminEndpoints } from './contract.ts'
import { exampleContentEndpointHandlers } from './examples.ts'
import { exampleContentEndpoints } from './examples-contract.ts'
import { adminHealthEndpoints } from './health-contract.ts'
import { createAdminHealthEndpointHandlers } from './health-routes.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import {
  previewRetentionRemovals,
  readLastRetentionRemovals,
  readRetentionDaysAndStartTimes,
  startRetentionCleanup,
} from './retention.ts'
import { retentionEndpoints } from './retention-contract.ts'
import { createAdminEndpointHandlers } from './routes.ts'
import { startServerWatch } from './server-watch.ts'
import { adminMigrations } from './tables.ts'

const listRetentions = (running: readonly FeatureModule[]) =>
  running.flatMap(({ retention }) => retention ?? [])

export const adminModule = defineFeatureModule({
  name: 'admin',
  pages: pageDefinitions,
  migrations: adminMigrations,
  sectionsAddedToOtherPages,
  listeners: auditLogDomainEventListeners,
  contracts: {
    admin: adminEndpoints,
    auditLog: auditLogEndpoints,
    health: adminHealthEndpoints,
    retention: retentionEndpoints,
    examples: exampleContentEndpoints,
  },
  routes: (_, running) => ({
    admin: createAdminEndpointHandlers(running.flatMap(({ statistics }) => statistics ?? [])),
    auditLog: { list: (context) => listAuditLogPageWithNamesIfViewerIsAdmin(context, context.input) },
    examples: exampleContentEndpointHandlers,
    health: createAdminHealthEndpointHandlers(running.flatMap(({ storedFiles }) => storedFiles ?? [])),
    retention: {
      show: (context) => readRetentionDaysAndStartTimes(context),
      preview: (context) => previewRetentionRemovals(context, listRetentions(running), context.input),
      lastRemovals: ({ db }) => readLastRetentionRemovals(db),
    },
  }),
  startBackgroundWork(context, running) {
    const retention = startRetentionCleanup(context, listRetentions(running))
    const watch = startServerWatch(context)
    return { close: () => Promise.all([retention.close(), watch.close()]) }
  },
})
