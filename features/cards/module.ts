import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import * as logInCards from './cards.ts'
import { cardEndpoints, memberListEndpoints } from './contract.ts'
import { cardExport } from './export.ts'
import * as lists from './lists.ts'
import { cardHandlers, listHandlers } from './routes.ts'
import { cardSchemas, memberListSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { cardMigrations } from './tables.ts'

export const cardsModule = defineFeature({
  name: 'cards',
  pages: serverPages,
  migrations: cardMigrations,
  exportSection: cardExport,
  contracts: { cards: [cardEndpoints, cardSchemas], memberLists: [memberListEndpoints, memberListSchemas] },
  routes: () => ({ cards: cardHandlers, memberLists: listHandlers }),
  listeners: {
    // The card would work again after the suspension.
    'member.suspended': (tx, { id }) => logInCards.expire(tx, id),
    // The title of a list without members would otherwise stay stored.
    'member.deleted': (tx, { id }) => lists.removeWithMember(tx, id),
  },
})
