import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { digestEndpoints } from './contract.ts'
import { digestExportSection } from './export.ts'
import { deleteOldDigests, enqueueDueDigests } from './model.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { digestEndpointHandlers } from './routes.ts'
import { sendDigest } from './sending.ts'
import { digestMigrations } from './tables.ts'

export const digestModule = defineFeatureModule({
  name: 'digest',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  migrations: digestMigrations,
  exportSection: digestExportSection,
  contracts: { digest: digestEndpoints },
  routes: () => ({ digest: digestEndpointHandlers }),
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
