import '#features/chat/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { listSubjectIdsInInitialData } from '#features/reactions/initial-data.ts'
import { linkPreviewEndpoints } from './contract.ts'
import { linkPreviewExportSection } from './export.ts'
import { deleteOldPagesAndPreviews, startLinkPreviewJobs } from './jobs.ts'
import { createTextListener } from './listeners.ts'
import { deletePreviewsOfMessages, passPreviewsToFormerMember } from './model.ts'
import { pages } from './pages.ts'
import { createLinkPreviewHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const linkPreviewsModule = defineModule({
  name: 'link-previews',
  pages,
  listFurtherInitialCalls(answers, { settings }) {
    const { posts, messages } = listSubjectIdsInInitialData(answers)
    if (!settings.current().link_previews || (!posts && !messages)) return []
    return [{ endpoint: linkPreviewEndpoints.list, input: { posts, messages } }]
  },
  migrations,
  exportSection: linkPreviewExportSection,
  contracts: { linkPreviews: linkPreviewEndpoints },
  routes: (context) => ({ linkPreviews: createLinkPreviewHandlers(context) }),
  listeners: {
    'post.created': createTextListener('post', { isNew: true }),
    'post.edited': createTextListener('post', { isNew: false }),
    'reply.created': createTextListener('reply', { isNew: true }),
    'reply.edited': createTextListener('reply', { isNew: false }),
    'message.created': createTextListener('message', { isNew: true }),
    'message.edited': createTextListener('message', { isNew: false }),
    // The database deletes the previews of deleted posts and replies by their foreign keys.
    'message.deleted': (tx, { id }) => deletePreviewsOfMessages(tx, [id]),
    // The feature `chat` has transferred the messages of a deleted account to a former member before.
    'member.deleted': (tx, { id }, context) => passPreviewsToFormerMember(context, tx, id),
    'messages.deleted_with_account': (tx, { ids }) => deletePreviewsOfMessages(tx, ids),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startLinkPreviewJobs(context, jobRetryDelays)
    const cleanup = startHourlyCleanup(
      context,
      () => deleteOldPagesAndPreviews(context.db),
      'Old link previews could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
