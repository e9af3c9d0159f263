import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { deleteExports, startCleanup } from './cleanup.ts'
import { exportEndpoints } from './contract.ts'
import { startRunner } from './make-export.ts'
import { pageDefinitions } from './pages.ts'
import { exportHandlers } from './routes.ts'
import { exportSchemas } from './schemas.ts'
import { serverSections } from './server-pages.ts'
import { archiveSizes } from './statistics.ts'
import { exportMigrations } from './tables.ts'

export const exportModule = defineFeature({
  name: 'export',
  pages: pageDefinitions,
  pageSections: serverSections,
  migrations: exportMigrations,
  storedFiles: archiveSizes,
  contracts: { export: [exportEndpoints, exportSchemas] },
  routes: (context) => ({ export: exportHandlers(context) }),
  listeners: {
    'member.deleted': (tx, { id }, context) => deleteExports(context, tx, id),
  },
  startBackgroundWork: (context, running) => {
    const cleanup = startCleanup(context)
    const runner = startRunner(
      context,
      running.flatMap(({ exportSection }) => exportSection ?? []),
    )
    return { close: () => Promise.all([cleanup.close(), runner.close()]) }
  },
})
