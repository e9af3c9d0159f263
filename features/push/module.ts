import '#features/chat/events.ts'
import '#features/notifications/events.ts'
import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { isNotificationKindSwitchedOn } from '#features/notifications/settings.ts'
import { pushEndpoints } from './contract.ts'
import { startPushJobRunners } from './delivery.ts'
import { pushExportSection } from './export.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import {
  deleteOldPushItems,
  enqueueAddMessageToPushQueuesJob,
  enqueueAddNotificationsToPushQueuesJob,
  enqueueAddNotificationToPushQueuesJob,
  enqueueDeliveryOfHeldPushItems,
} from './queue.ts'
import { createPushEndpointHandlers } from './routes.ts'
import { pushMigrations } from './tables.ts'

export const pushModule = defineFeatureModule({
  name: 'push',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  migrations: pushMigrations,
  exportSection: pushExportSection,
  contracts: { push: pushEndpoints },
  routes: () => ({ push: createPushEndpointHandlers() }),
  listeners: {
    'message.created': (tx, message) => enqueueAddMessageToPushQueuesJob(tx, message),
    'notification.changed': async (tx, event) => {
      const { user_id, kind } = event
      // Sends no push message for this notification, because the listener of `message.created` already sends
      // one for the first message of a private chat. It also sends one for a message that quotes or mentions
      // the member, if the member wants push messages for chat messages.
      if (kind === 'first_message') return
      const isAboutMessage = kind === 'quote' || kind === 'group_mention'
      if (isAboutMessage && (await isNotificationKindSwitchedOn(tx, user_id, 'message', 'push'))) return
      enqueueAddNotificationToPushQueuesJob(tx, event)
    },
    'notifications.created': (tx, { notifications }) =>
      enqueueAddNotificationsToPushQueuesJob(tx, notifications),
    'notification.settings_changed': (tx, { user_id }) => enqueueDeliveryOfHeldPushItems(tx, user_id),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startPushJobRunners(context, jobRetryDelays)
    const cleanup = startHourlyCleanup(
      context,
      (signal) => deleteOldPushItems(context, signal),
      'Old push messages could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
