import { transaction } from '#core/database/transaction.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { guardianEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { guardianListeners } from './listeners.ts'
import { sendRequestMail } from './mails.ts'
import * as childNotices from './notices.ts'
import { pageDefinitions } from './pages.ts'
import { guardianHandlers } from './routes.ts'
import { createRules } from './rules.ts'
import { guardianSchemas } from './schemas.ts'
import { guardianMigrations } from './tables.ts'

export const guardiansModule = defineFeature({
  name: 'guardians',
  pages: pageDefinitions,
  migrations: guardianMigrations,
  exportSection: exportSection,
  contracts: { guardians: [guardianEndpoints, guardianSchemas] },
  routes: () => ({ guardians: guardianHandlers }),
  provides: (context) => ({ contacts: createRules(context) }),
  listeners: guardianListeners,
  jobs: { guardian_mail: ({ user_id }, _, context) => sendRequestMail(context, user_id) },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () => transaction(context.db, (tx) => childNotices.deleteOld(context, tx)),
      'Old notices to guardians could not be deleted; tried again in an hour',
    ),
})
