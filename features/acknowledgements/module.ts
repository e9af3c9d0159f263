import '#features/posts/events.ts'
import { defineFeature, extra } from '#core/feature/module.ts'
import { initialIds } from '#features/reactions/initial-data.ts'
import { acknowledgementEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import * as model from './model.ts'
import { readNews } from './news.ts'
import { pageDefinitions } from './pages.ts'
import * as reminders from './reminders.ts'
import { acknowledgementHandlers } from './routes.ts'
import { acknowledgementSchemas, requestSchema } from './schemas.ts'
import { acknowledgementMigrations } from './tables.ts'

export const acknowledgementsModule = defineFeature({
  name: 'acknowledgements',
  pages: pageDefinitions,
  listFurtherInitialCalls(answers) {
    const { posts } = initialIds(answers)
    return posts ? [{ endpoint: acknowledgementEndpoints.states, input: { posts } }] : []
  },
  migrations: acknowledgementMigrations,
  exportSection,
  contracts: { acknowledgements: [acknowledgementEndpoints, acknowledgementSchemas] },
  extras: { acknowledgement: extra(['post'], requestSchema, model.ask) },
  // The foreign keys of the database delete the rows of deleted posts and accounts.
  listeners: { 'post.edited': (tx, post, context) => model.markChanged(context, tx, post) },
  jobs: {
    acknowledgement_reminder: ({ reminder }, { signal }, context) =>
      reminders.send(context, reminder, signal),
  },
  news: readNews,
  routes: () => ({ acknowledgements: acknowledgementHandlers }),
})
