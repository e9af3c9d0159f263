import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { moderationEndpoints, reportEndpoints } from './contract.ts'
import { deleteOldEvidence, removeMessagesOf } from './evidence.ts'
import { exportSection } from './export.ts'
import * as mails from './mails.ts'
import * as notices from './notices.ts'
import { openReports } from './open-reports.ts'
import { pageDefinitions } from './pages.ts'
import { pictureGuards } from './reported-pictures.ts'
import { moderationHandlers, reportHandlers } from './routes.ts'
import { moderationSchemas, reportSchemas } from './schemas.ts'
import { moderationMigrations } from './tables.ts'
import * as waiting from './waiting.ts'

export const moderationModule = defineFeature({
  name: 'moderation',
  pages: pageDefinitions,
  migrations: moderationMigrations,
  exportSection: exportSection,
  contracts: {
    reports: [reportEndpoints, reportSchemas],
    moderation: [moderationEndpoints, moderationSchemas],
  },
  routes: () => ({
    reports: reportHandlers,
    moderation: moderationHandlers,
  }),
  mediaGuards: pictureGuards,
  provides: () => ({ openReports }),
  requiredPage: notices.createPathFinder,
  statistics: { counts: async (db) => ({ open_reports: await waiting.countOpen(db) }) },
  jobs: { report_mail: (_, __, context) => mails.send(context) },
  listeners: {
    // The foreign keys delete the reports about and by the member.
    'member.deleted': async (tx, { id }, context) => {
      await waiting.endAbout(context, tx, id)
      await removeMessagesOf(tx, id)
    },
  },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () =>
        transaction(context.db, async (tx) => {
          await deleteOldEvidence(tx)
          await notices.deleteOldExcerpts(tx)
        }),
      'Old copies of reported content could not be deleted; tried again in an hour',
    ),
})
