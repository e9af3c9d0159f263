import '#features/people/events.ts'
import { defineModule } from '#core/module.ts'
import { deleteExportsOfMember, startExportCleanup } from './cleanup.ts'
import { exportEndpoints } from './contract.ts'
import { startExportJobRunner } from './make-export.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { createExportHandlers } from './routes.ts'
import { exportArchiveFileKind } from './statistics.ts'
import { migrations } from './tables.ts'

export const exportModule = defineModule({
  name: 'export',
  pages,
  sectionsOnOtherPages,
  migrations,
  storedFiles: exportArchiveFileKind,
  contracts: { export: exportEndpoints },
  routes: (context) => ({ export: createExportHandlers(context) }),
  listeners: {
    'member.deleted': (tx, { id }, context) => deleteExportsOfMember(context, tx, id),
  },
  startBackgroundWork: (context, running) => {
    const cleanup = startExportCleanup(context)
    const runner = startExportJobRunner(
      context,
      running.flatMap(({ exportSection }) => exportSection ?? []),
    )
    return { close: () => Promise.all([cleanup.close(), runner.close()]) }
  },
})
