import { defineModule, type FeatureModule } from '#core/module.ts'
import { auditLogListeners, listAuditLog } from './audit-log.ts'
import { auditLogEndpoints } from './audit-log-contract.ts'
import { adminEndpoints } from './contract.ts'
import { exampleHandlers } from './examples.ts'
import { exampleEndpoints } from './examples-contract.ts'
import { healthEndpoints } from './health-contract.ts'
import { createHealthHandlers } from './health-routes.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { previewRetention, readLastRemovals, readRetention, startRetentionCleanup } from './retention.ts'
import { retentionEndpoints } from './retention-contract.ts'
import { createAdminHandlers } from './routes.ts'
import { migrations } from './tables.ts'

const listRetentions = (running: readonly FeatureModule[]) =>
  running.flatMap(({ retention }) => retention ?? [])

export const adminModule = defineModule({
  name: 'admin',
  pages,
  migrations,
  sectionsOnOtherPages,
  listeners: auditLogListeners,
  contracts: {
    admin: adminEndpoints,
    auditLog: auditLogEndpoints,
    health: healthEndpoints,
    retention: retentionEndpoints,
    examples: exampleEndpoints,
  },
  routes: (_, running) => ({
    admin: createAdminHandlers(running.flatMap(({ statistics }) => statistics ?? [])),
    auditLog: { list: (context) => listAuditLog(context, context.input) },
    examples: exampleHandlers,
    health: createHealthHandlers(running.flatMap(({ storedFiles }) => storedFiles ?? [])),
    retention: {
      show: (context) => readRetention(context),
      preview: (context) => previewRetention(context, listRetentions(running), context.input),
      lastRemovals: ({ db }) => readLastRemovals(db),
    },
  }),
  startBackgroundWork: (context, running) => startRetentionCleanup(context, listRetentions(running)),
})
