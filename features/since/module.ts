import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { sinceEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import * as marks from './marks.ts'
import { sinceHandlers } from './routes.ts'
import { sinceSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { sinceMigrations } from './tables.ts'

/** One page of all that is new since the last visit. The features say what is new (core/feature/news.ts). */
export const sinceModule = defineFeature({
  name: 'since',
  pages: serverPages,
  migrations: sinceMigrations,
  exportSection,
  contracts: { since: [sinceEndpoints, sinceSchemas] },
  routes: (context) => ({ since: sinceHandlers(context) }),
  listeners: { 'member.registered': async (tx, { id }) => void (await marks.begin(tx, id)) },
})
