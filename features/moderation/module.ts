import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { moderationEndpoints, reportEndpoints } from './contract.ts'
import { deleteEvidenceOfLongClosedCases, removeMemberMessagesFromEvidence } from './evidence.ts'
import { moderationExportSection } from './export.ts'
import { createRequiredNoticesPathFinder, deleteExcerptsOfOldNotices } from './notices.ts'
import { openReportConditions } from './open-reports.ts'
import { pages } from './pages.ts'
import { createReportedPictureGuards } from './reported-pictures.ts'
import { moderationHandlers, reportHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const moderationModule = defineModule({
  name: 'moderation',
  pages,
  migrations,
  exportSection: moderationExportSection,
  contracts: { reports: reportEndpoints, moderation: moderationEndpoints },
  routes: () => ({ reports: reportHandlers, moderation: moderationHandlers }),
  mediaGuards: createReportedPictureGuards,
  openReports: openReportConditions,
  requiredPage: createRequiredNoticesPathFinder,
  listeners: {
    // Foreign keys delete the reports about the member and by the member.
    'member.deleted': (tx, { id }) => removeMemberMessagesFromEvidence(tx, id),
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () =>
        transaction(context.db, async (tx) => {
          await deleteEvidenceOfLongClosedCases(tx)
          await deleteExcerptsOfOldNotices(tx)
        }),
      'Old copies of reported content could not be deleted; tried again in an hour',
    ),
})
