import '#features/conversations/events.ts'
import '#features/groups/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import { defineFeature, extra } from '#core/feature/module.ts'
import { repeatWithPauses, startHourly } from '#core/process/hourly-cleanup.ts'
import { initialIds } from '#features/reactions/initial-data.ts'
import { endOffer } from './answers.ts'
import { eventEndpoints } from './contract.ts'
import { giveBack, requireNobodyComes } from './deletion.ts'
import { exportSection } from './export.ts'
import * as mails from './mails.ts'
import * as model from './model.ts'
import { readNews } from './news.ts'
import { pageDefinitions } from './pages.ts'
import * as reminders from './reminders.ts'
import { eventHandlers } from './routes.ts'
import { eventSchemas, newEventSchema } from './schemas.ts'
import { eventMigrations } from './tables.ts'

export const eventsModule = defineFeature({
  name: 'events',
  pages: pageDefinitions,
  listFurtherInitialCalls(answers) {
    const { posts } = initialIds(answers)
    return posts ? [{ endpoint: eventEndpoints.ofPosts, input: { posts } }] : []
  },
  migrations: eventMigrations,
  exportSection,
  contracts: { events: [eventEndpoints, eventSchemas] },
  news: readNews,
  routes: () => ({ events: eventHandlers }),
  extras: { event: extra(['post'], newEventSchema, model.add) },
  jobs: {
    event_offer: ({ date, user, until }, _, context) => endOffer(context, date, user, until),
    event_reminder: (reminder, { signal }, context) => reminders.send(context, reminder, signal),
    event_mail: (mail, _, context) => mails.send(context, mail),
    tell_event: (told, { signal }, context) => reminders.tell(context, told, signal),
  },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      (signal) => repeatWithPauses(() => reminders.begin(context), signal),
      'Reminders of events could not be begun; tried again in an hour',
    ),
  listeners: {
    'post.deleting': (tx, { id }) => requireNobodyComes(tx, id),
    'member.deleted': (tx, { id: member }, context) => giveBack(context, tx, { member }),
    'member.suspended': (tx, { id: member }, context) => giveBack(context, tx, { member }),
    'group.member_removed': (tx, { user_id: member, conversation_id: group }, context) =>
      giveBack(context, tx, { member, group }),
    'member.blocked': async (tx, { blocker_id, blocked_id }, context) => {
      await giveBack(context, tx, { member: blocker_id, author: blocked_id })
      await giveBack(context, tx, { member: blocked_id, author: blocker_id })
    },
  },
})
