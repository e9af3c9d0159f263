import '#features/people/events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { expireUnusedLogInCardOfMember } from './cards.ts'
import { logInCardEndpoints } from './contract.ts'
import { logInCardExportSection } from './export.ts'
import { memberListImportEndpoints } from './list-contract.ts'
import { deleteMemberListImportOfLastMember } from './lists.ts'
import { pageDefinitions } from './pages.ts'
import { logInCardEndpointHandlers, memberListImportEndpointHandlers } from './routes.ts'
import { logInCardsMigrations } from './tables.ts'

export const logInCardsModule = defineFeatureModule({
  name: 'cards',
  pages: pageDefinitions,
  migrations: logInCardsMigrations,
  exportSection: logInCardExportSection,
  contracts: { cards: logInCardEndpoints, memberLists: memberListImportEndpoints },
  routes: () => ({ cards: logInCardEndpointHandlers, memberLists: memberListImportEndpointHandlers }),
  listeners: {
    // When a member is suspended, makes the unused log-in card of the member expire, because the card would
    // work again after the suspension.
    'member.suspended': (tx, { id }) => expireUnusedLogInCardOfMember(tx, id),
    // When the last member of an imported list is deleted, deletes the list too, because its title would
    // otherwise stay stored.
    'member.deleted': (tx, { id }) => deleteMemberListImportOfLastMember(tx, id),
  },
})
