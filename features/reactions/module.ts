import './events.ts'
import '#features/chat/events.ts'
import '#features/people/events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { reactionEndpoints } from './contract.ts'
import {
  deleteMutualReactions,
  deleteReactionsGivenByDeletedMember,
  deleteReactionsToMessages,
} from './deletion.ts'
import { reactionExportSection } from './export.ts'
import { listInitialDataCallsForReactions } from './initial-data.ts'
import { pageDefinitions } from './pages.ts'
import { createReactionEndpointHandlers } from './routes.ts'
import { reactionsMigrations } from './tables.ts'

export const reactionsModule = defineFeatureModule({
  name: 'reactions',
  pages: pageDefinitions,
  listFurtherInitialCalls: listInitialDataCallsForReactions,
  migrations: reactionsMigrations,
  exportSection: reactionExportSection,
  contracts: { reactions: reactionEndpoints },
  listeners: {
    'message.deleted': (tx, { id }) => deleteReactionsToMessages(tx, [id]),
    'messages.deleted_with_account': (tx, { ids }) => deleteReactionsToMessages(tx, ids),
    'member.deleted': (tx, { id }, context) => deleteReactionsGivenByDeletedMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualReactions(context, tx, block),
  },
  routes: (context) => ({ reactions: createReactionEndpointHandlers(context) }),
})
