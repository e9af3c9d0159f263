import { defineFeature, type FeatureModule } from '#core/feature/module.ts'
import { auditListeners, listAuditLog } from './audit-log.ts'
import {
  adminEndpoints,
  auditEndpoints,
  exampleEndpoints,
  healthEndpoints,
  retentionEndpoints,
} from './contract.ts'
import { exampleHandlers } from './examples.ts'
import { healthHandlers } from './health-routes.ts'
import { healthSchemas } from './health-schemas.ts'
import * as retentions from './retention.ts'
import { adminHandlers } from './routes.ts'
import { adminSchemas, auditSchemas, exampleSchemas, retentionSchemas } from './schemas.ts'
import { serverPages, serverSections } from './server-pages.ts'
import { startServerWatch } from './server-watch.ts'
import { adminMigrations } from './tables.ts'

const listRetentions = (running: readonly FeatureModule[]) =>
  running.flatMap(({ retention }) => retention ?? [])

export const adminModule = defineFeature({
  name: 'admin',
  pages: serverPages,
  migrations: adminMigrations,
  pageSections: serverSections,
  listeners: auditListeners,
  contracts: {
    admin: [adminEndpoints, adminSchemas],
    auditLog: [auditEndpoints, auditSchemas],
    health: [healthEndpoints, healthSchemas],
    retention: [retentionEndpoints, retentionSchemas],
    examples: [exampleEndpoints, exampleSchemas],
  },
  routes: (_, running) => ({
    admin: adminHandlers(running.flatMap(({ statistics }) => statistics ?? [])),
    auditLog: { list: (context) => listAuditLog(context, context.input) },
    examples: exampleHandlers,
    health: healthHandlers(running.flatMap(({ storedFiles }) => storedFiles ?? [])),
    retention: {
      show: (context) => retentions.get(context),
      preview: (context) => retentions.preview(context, listRetentions(running), context.input),
      lastRemovals: ({ db }) => retentions.getLastRemovals(db),
    },
  }),
  startBackgroundWork(context, running) {
    const retention = retentions.startCleanup(context, listRetentions(running))
    const watch = startServerWatch(context)
    return { close: () => Promise.all([retention.close(), watch.close()]) }
  },
})
