import '#features/conversations/events.ts'
import '#features/messages/events.ts'
import '#features/people/events.ts'
import { defineFeature, extra } from '#core/feature/module.ts'
import { initialIds } from '#features/reactions/initial-data.ts'
import { pollEndpoints } from './contract.ts'
import { deleteBallots, deleteOfMessages } from './deletion.ts'
import { exportSection } from './export.ts'
import * as model from './model.ts'
import { readNews } from './news.ts'
import { pageDefinitions } from './pages.ts'
import * as reminders from './reminders.ts'
import { pollHandlers } from './routes.ts'
import { newPollSchema, pollSchemas } from './schemas.ts'
import { pollMigrations } from './tables.ts'

export const pollsModule = defineFeature({
  name: 'polls',
  pages: pageDefinitions,
  listFurtherInitialCalls(answers) {
    const { posts, messages } = initialIds(answers)
    return posts || messages ? [{ endpoint: pollEndpoints.list, input: { posts, messages } }] : []
  },
  migrations: pollMigrations,
  exportSection,
  contracts: { polls: [pollEndpoints, pollSchemas] },
  news: readNews,
  routes: () => ({ polls: pollHandlers }),
  extras: { poll: extra(['post', 'message'], newPollSchema, model.add) },
  jobs: {
    end_poll: ({ poll }, _, context) => model.endInTime(context, poll),
    end_poll_reminders: ({ poll }, { signal }, context) => reminders.removeAll(context, poll, signal),
    poll_reminder: (reminder, { signal }, context) => reminders.send(context, reminder, signal),
  },
  listeners: {
    'message.deleted': (tx, { id }) => deleteOfMessages(tx, [id]),
    'messages.deleted_with_account': (tx, { ids }) => deleteOfMessages(tx, ids),
    'member.deleted': (tx, { id }) => deleteBallots(tx, id),
  },
})
