import '#features/people/events.ts'
import { defineModule } from '#core/module.ts'
import { expireUnusedCardOfMember } from './cards.ts'
import { logInCardEndpoints } from './contract.ts'
import { cardExportSection } from './export.ts'
import { newMemberListEndpoints } from './list-contract.ts'
import { deleteMemberListIfLastMember } from './lists.ts'
import { pages } from './pages.ts'
import { logInCardHandlers, newMemberListHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const cardsModule = defineModule({
  name: 'cards',
  pages,
  migrations,
  exportSection: cardExportSection,
  contracts: { cards: logInCardEndpoints, memberLists: newMemberListEndpoints },
  routes: () => ({ cards: logInCardHandlers, memberLists: newMemberListHandlers }),
  listeners: {
    // Makes the card of a suspended member invalid, because it would work again after the suspension.
    'member.suspended': (tx, { id }) => expireUnusedCardOfMember(tx, id),
    // Deletes a list of new members with its last member, because its title would otherwise stay stored.
    'member.deleted': (tx, { id }) => deleteMemberListIfLastMember(tx, id),
  },
})
