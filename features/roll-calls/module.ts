import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { phoneEndpoints, rollCallChannels, rollCallEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { rollCallListeners } from './listeners.ts'
import { cleanUp } from './model.ts'
import { pageDefinitions } from './pages.ts'
import { boardGuards, phoneHandlers, rollCallHandlers } from './routes.ts'
import { phoneSchemas, rollCallChannelSchemas, rollCallSchemas } from './schemas.ts'
import { rollCallMigrations } from './tables.ts'
import { sendMail, startRunner } from './telling.ts'

export const rollCallsModule = defineFeature({
  name: 'roll-calls',
  pages: pageDefinitions,
  migrations: rollCallMigrations,
  exportSection,
  contracts: { rollCalls: [rollCallEndpoints, rollCallSchemas], phones: [phoneEndpoints, phoneSchemas] },
  routes: () => ({ rollCalls: rollCallHandlers, phones: phoneHandlers }),
  channels: [rollCallChannels, rollCallChannelSchemas],
  guards: boardGuards,
  listeners: rollCallListeners,
  jobs: { roll_call_mail: (mail, _, context) => sendMail(context, mail) },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startRunner(context, jobRetryDelays)
    const cleanup = startHourly(
      context,
      () => cleanUp(context),
      'Old roll calls could not be ended or deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
