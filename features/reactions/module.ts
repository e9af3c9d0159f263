import './events.ts'
import '#features/conversations/events.ts'
import '#features/messages/events.ts'
import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { reactionEndpoints } from './contract.ts'
import { deleteMutual, deleteOfMember, deleteOfMessages } from './deletion.ts'
import { exportSection } from './export.ts'
import { initialCalls } from './initial-data.ts'
import { pageDefinitions } from './pages.ts'
import { reactionHandlers } from './routes.ts'
import { reactionSchemas } from './schemas.ts'
import { reactionMigrations } from './tables.ts'

export const reactionsModule = defineFeature({
  name: 'reactions',
  pages: pageDefinitions,
  listFurtherInitialCalls: initialCalls,
  migrations: reactionMigrations,
  exportSection: exportSection,
  contracts: { reactions: [reactionEndpoints, reactionSchemas] },
  listeners: {
    'message.deleted': (tx, { id }) => deleteOfMessages(tx, [id]),
    'messages.deleted_with_account': (tx, { ids }) => deleteOfMessages(tx, ids),
    'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutual(context, tx, block),
  },
  routes: (context) => ({ reactions: reactionHandlers(context) }),
})
