import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { digestEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { deleteOldDigests, enqueueDue } from './model.ts'
import { pageSections } from './page-sections.ts'
import { digestHandlers } from './routes.ts'
import { digestSchemas } from './schemas.ts'
import { sendDigest } from './sending.ts'
import { serverPages } from './server-pages.ts'
import { digestMigrations } from './tables.ts'

export const digestModule = defineFeature({
  name: 'digest',
  pages: serverPages,
  pageSections,
  migrations: digestMigrations,
  exportSection: exportSection,
  contracts: { digest: [digestEndpoints, digestSchemas] },
  routes: () => ({ digest: digestHandlers }),
  jobs: { digest_mail: (digest, job, context) => sendDigest(context, digest, job) },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      async () => {
        await deleteOldDigests(context.db)
        await enqueueDue(context)
      },
      'The digests could not be prepared; tried again in an hour',
    ),
})
