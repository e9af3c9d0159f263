import '#features/chat/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { extractCommaSeparatedPostAndMessageIds } from '#features/reactions/initial-data.ts'
import { linkPreviewEndpoints } from './contract.ts'
import { linkPreviewExportSection } from './export.ts'
import { deleteOldLinkPagesAndForgottenPreviews, startLinkPreviewJobRunner } from './jobs.ts'
import { createListenerThatStoresFirstLinkOfText } from './listeners.ts'
import { deleteLinkPreviewsOfMessages, moveMessageLinkPreviewsToFormerMember } from './model.ts'
import { pageDefinitions } from './pages.ts'
import { createLinkPreviewEndpointHandlers } from './routes.ts'
import { linkPreviewsMigrations } from './tables.ts'

export const linkPreviewsModule = defineFeatureModule({
  name: 'link-previews',
  pages: pageDefinitions,
  listFurtherInitialCalls(answers, { settings }) {
    const { posts, messages } = extractCommaSeparatedPostAndMessageIds(answers)
    if (!settings.current().link_previews || (!posts && !messages)) return []
    return [{ endpoint: linkPreviewEndpoints.list, input: { posts, messages } }]
  },
  migrations: linkPreviewsMigrations,
  exportSection: linkPreviewExportSection,
  contracts: { linkPreviews: linkPreviewEndpoints },
  routes: (context) => ({ linkPreviews: createLinkPreviewEndpointHandlers(context) }),
  listeners: {
    'post.created': createListenerThatStoresFirstLinkOfText('post', { isNew: true }),
    'post.edited': createListenerThatStoresFirstLinkOfText('post', { isNew: false }),
    'reply.created': createListenerThatStoresFirstLinkOfText('reply', { isNew: true }),
    'reply.edited': createListenerThatStoresFirstLinkOfText('reply', { isNew: false }),
    'message.created': createListenerThatStoresFirstLinkOfText('message', { isNew: true }),
    'message.edited': createListenerThatStoresFirstLinkOfText('message', { isNew: false }),
    // Deletes only the previews of messages here. The foreign keys of the database delete the previews of
    // deleted posts and replies.
    'message.deleted': (tx, { id }) => deleteLinkPreviewsOfMessages(tx, [id]),
    // When this listener runs, the feature `chat` has already transferred the messages of the deleted account
    // to a former member.
    'member.deleted': (tx, { id }, context) => moveMessageLinkPreviewsToFormerMember(context, tx, id),
    'messages.deleted_with_account': (tx, { ids }) => deleteLinkPreviewsOfMessages(tx, ids),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startLinkPreviewJobRunner(context, jobRetryDelays)
    const cleanup = startHourlyCleanup(
      context,
      (signal) => deleteOldLinkPagesAndForgottenPreviews(context.db, { signal }),
      'Old link previews could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
