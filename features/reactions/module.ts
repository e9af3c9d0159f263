import './events.ts'
import '#features/chat/events.ts'
import '#features/people/events.ts'
import { defineModule } from '#core/module.ts'
import { reactionEndpoints } from './contract.ts'
import { deleteMutualReactions, deleteReactionsOfMember, deleteReactionsToMessages } from './deletion.ts'
import { reactionExportSection } from './export.ts'
import { listInitialReactionCalls } from './initial-data.ts'
import { pages } from './pages.ts'
import { createReactionHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const reactionsModule = defineModule({
  name: 'reactions',
  pages,
  listFurtherInitialCalls: listInitialReactionCalls,
  migrations,
  exportSection: reactionExportSection,
  contracts: { reactions: reactionEndpoints },
  listeners: {
    'message.deleted': (tx, { id }) => deleteReactionsToMessages(tx, [id]),
    'messages.deleted_with_account': (tx, { ids }) => deleteReactionsToMessages(tx, ids),
    'member.deleted': (tx, { id }, context) => deleteReactionsOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualReactions(context, tx, block),
  },
  routes: (context) => ({ reactions: createReactionHandlers(context) }),
})
