import '#features/chat/events.ts'
import '#features/notifications/events.ts'
import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { isSwitchedOn } from '#features/notifications/settings.ts'
import { pushEndpoints } from './contract.ts'
import { startPushJobs } from './delivery.ts'
import { pushExportSection } from './export.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import {
  deleteOldPushItems,
  enqueueHeldDeliveries,
  enqueuePushMessageJob,
  enqueuePushNotificationJob,
} from './queue.ts'
import { createPushHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const pushModule = defineModule({
  name: 'push',
  pages,
  sectionsOnOtherPages,
  migrations,
  exportSection: pushExportSection,
  contracts: { push: pushEndpoints },
  routes: () => ({ push: createPushHandlers() }),
  listeners: {
    'message.created': (tx, message) => enqueuePushMessageJob(tx, message),
    'notification.changed': async (tx, { id, user_id, kind }) => {
      // The listener of `message.created` already sends a push message for the first message of a private
      // chat. It also sends one for a message that quotes or mentions the member, if the member wants push
      // messages for chat messages.
      if (kind === 'first_message') return
      const isAboutMessage = kind === 'quote' || kind === 'group_mention'
      if (isAboutMessage && (await isSwitchedOn(tx, user_id, 'message', 'push'))) return
      enqueuePushNotificationJob(tx, id, user_id)
    },
    'notification.settings_changed': (tx, { user_id }) => enqueueHeldDeliveries(tx, user_id),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startPushJobs(context, jobRetryDelays)
    const cleanup = startHourlyCleanup(
      context,
      () => deleteOldPushItems(context),
      'Old push messages could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
