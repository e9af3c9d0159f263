import '#features/people/events.ts'
import { defineModule } from '#core/module.ts'
import { exportEndpoints } from './contract.ts'
import { startExportRunner } from './make-export.ts'
import { addedPageSections, pages } from './pages.ts'
import { createExportRoutes } from './routes.ts'
import { deleteExportsOfMember, startExportSweep } from './sweep.ts'
import { migrations } from './tables.ts'

export const exportModule = defineModule({
  name: 'export',
  pages,
  addedPageSections,
  migrations,
  contracts: { export: exportEndpoints },
  routes: (context) => ({ export: createExportRoutes(context) }),
  listeners: {
    'member.deleted': (tx, { id }, context) => deleteExportsOfMember(context, tx, id),
  },
  startBackgroundWork: (context, running) => {
    const sweep = startExportSweep(context)
    const runner = startExportRunner(
      context,
      running.flatMap(({ exportSection }) => exportSection ?? []),
    )
    return { close: () => Promise.all([sweep.close(), runner.close()]) }
  },
})
