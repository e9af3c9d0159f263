import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { moderationEndpoints, reportAndModerationNoticeEndpoints } from './contract.ts'
import { deleteEvidenceOfLongClosedCases, removeMemberMessagesFromEvidence } from './evidence.ts'
import { moderationExportSection } from './export.ts'
import { createRequiredModerationNoticesPathFinder, deleteExcerptsOfOldModerationNotices } from './notices.ts'
import { postHasOpenReportSqlConditionBuilders } from './open-reports.ts'
import { pageDefinitions } from './pages.ts'
import { createReportedPictureAccessGuards } from './reported-pictures.ts'
import { moderationEndpointHandlers, reportAndModerationNoticeEndpointHandlers } from './routes.ts'
import { moderationMigrations } from './tables.ts'

export const moderationModule = defineFeatureModule({
  name: 'moderation',
  pages: pageDefinitions,
  migrations: moderationMigrations,
  exportSection: moderationExportSection,
  contracts: { reports: reportAndModerationNoticeEndpoints, moderation: moderationEndpoints },
  routes: () => ({
    reports: reportAndModerationNoticeEndpointHandlers,
    moderation: moderationEndpointHandlers,
  }),
  mediaGuards: createReportedPictureAccessGuards,
  openReports: postHasOpenReportSqlConditionBuilders,
  requiredPage: createRequiredModerationNoticesPathFinder,
  listeners: {
    // Deletes only the member's messages in the evidence. The foreign keys of the database delete the reports
    // about and by the member.
    'member.deleted': (tx, { id }) => removeMemberMessagesFromEvidence(tx, id),
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () =>
        transaction(context.db, async (tx) => {
          await deleteEvidenceOfLongClosedCases(tx)
          await deleteExcerptsOfOldModerationNotices(tx)
        }),
      'Old copies of reported content could not be deleted; tried again in an hour',
    ),
})
