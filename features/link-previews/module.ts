import '#features/conversations/events.ts'
import '#features/messages/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { initialIds } from '#features/reactions/initial-data.ts'
import { previewEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { cleanUp, startJobs } from './jobs.ts'
import { linkListener } from './listeners.ts'
import * as model from './model.ts'
import { pageDefinitions } from './pages.ts'
import { previewHandlers } from './routes.ts'
import { previewSchemas } from './schemas.ts'
import { previewMigrations } from './tables.ts'

export const previewsModule = defineFeature({
  name: 'link-previews',
  pages: pageDefinitions,
  listFurtherInitialCalls(answers, { settings }) {
    const { posts, messages } = initialIds(answers)
    if (!settings.current().link_previews || (!posts && !messages)) return []
    return [{ endpoint: previewEndpoints.list, input: { posts, messages } }]
  },
  migrations: previewMigrations,
  exportSection: exportSection,
  contracts: { linkPreviews: [previewEndpoints, previewSchemas] },
  routes: () => ({ linkPreviews: previewHandlers }),
  listeners: {
    'post.created': linkListener('post', { isNew: true }),
    'post.edited': linkListener('post', { isNew: false }),
    'reply.created': linkListener('reply', { isNew: true }),
    'reply.edited': linkListener('reply', { isNew: false }),
    'message.created': linkListener('message', { isNew: true }),
    'message.edited': linkListener('message', { isNew: false }),
    // The foreign keys of the database delete the previews of deleted posts and replies.
    'message.deleted': (tx, { id }) => model.deleteOfMessages(tx, [id]),
    // The feature `chat` has already transferred the messages of the account to a former member.
    'member.deleted': (tx, { id }, context) => model.moveToFormer(context, tx, id),
    'messages.deleted_with_account': (tx, { ids }) => model.deleteOfMessages(tx, ids),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startJobs(context, jobRetryDelays)
    const cleanup = startHourly(
      context,
      (signal) => cleanUp(context.db, { signal }),
      'Old link previews could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
