import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { guardianEndpoints } from './contract.ts'
import { guardiansExportSection } from './export.ts'
import { guardianListeners } from './listeners.ts'
import { sendGuardianMail } from './mails.ts'
import { deleteOldGuardianData } from './notices.ts'
import { pages } from './pages.ts'
import { createUnseenGuardianNewsPageFinder } from './read.ts'
import { guardianHandlers } from './routes.ts'
import { createContactRules } from './rules.ts'
import { migrations } from './tables.ts'

export const guardiansModule = defineModule({
  name: 'guardians',
  pages,
  migrations,
  exportSection: guardiansExportSection,
  contracts: { guardians: guardianEndpoints },
  routes: () => ({ guardians: guardianHandlers }),
  createContactRules,
  listeners: guardianListeners,
  requiredPage: createUnseenGuardianNewsPageFinder,
  jobs: { guardian_mail: ({ user_id }, _, context) => sendGuardianMail(context, user_id) },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => transaction(context.db, deleteOldGuardianData),
      'Old notices to guardians could not be deleted; tried again in an hour',
    ),
})
