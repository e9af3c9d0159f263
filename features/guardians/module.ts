import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { guardianEndpoints } from './contract.ts'
import { guardiansExportSection } from './export.ts'
import { guardianDomainEventListeners } from './listeners.ts'
import { sendContactRequestMailToGuardian } from './mails.ts'
import { deleteOldChildNoticesMarksAndContacts } from './notices.ts'
import { pageDefinitions } from './pages.ts'
import { createGuardianPagePathFinderForUnseenNews } from './read.ts'
import { guardianEndpointHandlers } from './routes.ts'
import { createChildContactRules } from './rules.ts'
import { guardiansMigrations } from './tables.ts'

export const guardiansModule = defineFeatureModule({
  name: 'guardians',
  pages: pageDefinitions,
  migrations: guardiansMigrations,
  exportSection: guardiansExportSection,
  contracts: { guardians: guardianEndpoints },
  routes: () => ({ guardians: guardianEndpointHandlers }),
  createContactRules: createChildContactRules,
  listeners: guardianDomainEventListeners,
  requiredPage: createGuardianPagePathFinderForUnseenNews,
  jobs: { guardian_mail: ({ user_id }, _, context) => sendContactRequestMailToGuardian(context, user_id) },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => transaction(context.db, deleteOldChildNoticesMarksAndContacts),
      'Old notices to guardians could not be deleted; tried again in an hour',
    ),
})
