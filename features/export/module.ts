import '#features/people/events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { deleteDataExportsOfMember, startDataExportCleanup } from './cleanup.ts'
import { dataExportEndpoints } from './contract.ts'
import { startDataExportJobRunner } from './make-export.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { createDataExportEndpointHandlers } from './routes.ts'
import { dataExportArchiveSizeStatisticsDefinition } from './statistics.ts'
import { dataExportMigrations } from './tables.ts'

export const dataExportModule = defineFeatureModule({
  name: 'export',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  migrations: dataExportMigrations,
  storedFiles: dataExportArchiveSizeStatisticsDefinition,
  contracts: { export: dataExportEndpoints },
  routes: (context) => ({ export: createDataExportEndpointHandlers(context) }),
  listeners: {
    'member.deleted': (tx, { id }, context) => deleteDataExportsOfMember(context, tx, id),
  },
  startBackgroundWork: (context, running) => {
    const cleanup = startDataExportCleanup(context)
    const runner = startDataExportJobRunner(
      context,
      running.flatMap(({ exportSection }) => exportSection ?? []),
    )
    return { close: () => Promise.all([cleanup.close(), runner.close()]) }
  },
})
