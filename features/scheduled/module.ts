import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { repeatWithPauses, startHourly } from '#core/process/hourly-cleanup.ts'
import { scheduledEndpoints } from './contract.ts'
import { countEndpoints } from './count-contract.ts'
import { resume, sendInTime } from './delivery.ts'
import { exportSection } from './export.ts'
import { mediaGuards } from './media.ts'
import { deleteOfMember } from './model.ts'
import { pageDefinitions } from './pages.ts'
import { countHandlers, scheduledHandlers } from './routes.ts'
import { countSchemas, scheduledSchemas } from './schemas.ts'
import { scheduledMigrations } from './tables.ts'

export const scheduledModule = defineFeature({
  name: 'scheduled',
  pages: pageDefinitions,
  initialData: [countEndpoints.get],
  migrations: scheduledMigrations,
  exportSection,
  contracts: {
    scheduled: [scheduledEndpoints, scheduledSchemas],
    scheduledCount: [countEndpoints, countSchemas],
  },
  mediaGuards,
  routes: () => ({ scheduled: scheduledHandlers, scheduledCount: countHandlers }),
  jobs: { send_scheduled: ({ scheduled }, { id }, context) => sendInTime(context, scheduled, id) },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      (signal) => repeatWithPauses(() => resume(context), signal),
      'What is over its time could not be looked for; tried again in an hour',
    ),
  listeners: { 'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id) },
})
