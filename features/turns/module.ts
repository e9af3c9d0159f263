import '#features/groups/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { turnEndpoints } from './contract.ts'
import { turnHandlers } from './routes.ts'
import { turnSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { turnMigrations } from './tables.ts'

/** The turn of a year: groups end, and others go on in their place. */
export const turnsModule = defineFeature({
  name: 'turns',
  pages: serverPages,
  migrations: turnMigrations,
  contracts: { turns: [turnEndpoints, turnSchemas] },
  routes: () => ({ turns: turnHandlers }),
})
