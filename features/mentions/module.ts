import '#features/chat/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import './events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { mentionEndpoints } from './contract.ts'
import { mentionsByOthersExportSection } from './export.ts'
import { saveMessageMentions, savePostMentions, saveReplyMentions } from './listeners.ts'
import { deleteMentionsInText } from './model.ts'
import { pageDefinitions } from './pages.ts'
import { mentionEndpointHandlers } from './routes.ts'
import { mentionsMigrations } from './tables.ts'

export const mentionsModule = defineFeatureModule({
  name: 'mentions',
  pages: pageDefinitions,
  migrations: mentionsMigrations,
  exportSection: mentionsByOthersExportSection,
  contracts: { mentions: mentionEndpoints },
  routes: () => ({ mentions: mentionEndpointHandlers }),
  listeners: {
    'post.created': (tx, event, context) => savePostMentions(context, tx, event, { isNew: true }),
    'post.edited': (tx, event, context) => savePostMentions(context, tx, event, { isNew: false }),
    // Deletes the mentions in a post when a moderator hides it. They are stored again when a moderator shows
    // the post again.
    'post.hidden': (tx, event, context) => savePostMentions(context, tx, event, { isNew: false }),
    'post.restored': (tx, event, context) => savePostMentions(context, tx, event, { isNew: false }),
    'post.deleted': (tx, { id }, context) => deleteMentionsInText(context, tx, 'post', id),
    'reply.created': (tx, event, context) => saveReplyMentions(context, tx, event, { isNew: true }),
    'reply.edited': (tx, event, context) => saveReplyMentions(context, tx, event, { isNew: false }),
    'reply.deleted': (tx, { id }, context) => deleteMentionsInText(context, tx, 'reply', id),
    'message.created': (tx, event, context) => saveMessageMentions(context, tx, event, { isNew: true }),
    'message.edited': (tx, event, context) => saveMessageMentions(context, tx, event, { isNew: false }),
    'message.deleted': (tx, { id }, context) => deleteMentionsInText(context, tx, 'message', id),
  },
})
