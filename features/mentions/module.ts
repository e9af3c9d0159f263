import '#features/messages/events.ts'
import '#features/posts/events.ts'
import '#features/replies/events.ts'
import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { mentionEndpoints } from './contract.ts'
import { mentionExport } from './export.ts'
import * as save from './listeners.ts'
import * as mentions from './model.ts'
import { pageDefinitions } from './pages.ts'
import { mentionHandlers } from './routes.ts'
import { mentionSchemas } from './schemas.ts'
import { mentionMigrations } from './tables.ts'

export const mentionsModule = defineFeature({
  name: 'mentions',
  pages: pageDefinitions,
  migrations: mentionMigrations,
  exportSection: mentionExport,
  contracts: { mentions: [mentionEndpoints, mentionSchemas] },
  routes: () => ({ mentions: mentionHandlers }),
  listeners: {
    'post.created': (tx, event, context) => save.inPost(context, tx, event, { isNew: true }),
    'post.edited': (tx, event, context) => save.inPost(context, tx, event, { isNew: false }),
    // They are stored again when a moderator shows the post again.
    'post.hidden': (tx, event, context) => save.inPost(context, tx, event, { isNew: false }),
    'post.restored': (tx, event, context) => save.inPost(context, tx, event, { isNew: false }),
    'post.deleted': (tx, { id }, context) => mentions.remove(context, tx, 'post', id),
    'reply.created': (tx, event, context) => save.inReply(context, tx, event, { isNew: true }),
    'reply.edited': (tx, event, context) => save.inReply(context, tx, event, { isNew: false }),
    'reply.deleted': (tx, { id }, context) => mentions.remove(context, tx, 'reply', id),
    'message.created': (tx, event, context) => save.inMessage(context, tx, event, { isNew: true }),
    'message.edited': (tx, event, context) => save.inMessage(context, tx, event, { isNew: false }),
    'message.deleted': (tx, { id }, context) => mentions.remove(context, tx, 'message', id),
  },
})
