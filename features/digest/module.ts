import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { digestEndpoints } from './contract.ts'
import { digestExportSection } from './export.ts'
import { deleteOldDigests, enqueueDueDigests } from './model.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { digestHandlers } from './routes.ts'
import { sendDigest } from './sending.ts'
import { migrations } from './tables.ts'

export const digestModule = defineModule({
  name: 'digest',
  pages,
  sectionsOnOtherPages,
  migrations,
  exportSection: digestExportSection,
  contracts: { digest: digestEndpoints },
  routes: () => ({ digest: digestHandlers }),
  jobs: { digest_mail: (digest, job, context) => sendDigest(context, digest, job) },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      async () => {
        await deleteOldDigests(context.db)
        await enqueueDueDigests(context)
      },
      'The digests could not be prepared; tried again in an hour',
    ),
})
