import type { AppContext } from '#core/context.ts'
import { beforeCommit } from '#core/database/before-commit.ts'
import { defineFeature } from '#core/feature/module.ts'
import { searchEndpoints } from './contract.ts'
import * as fulltext from './fulltext.ts'
import { pageDefinitions } from './pages.ts'
import { searchHandlers } from './routes.ts'
import { searchSchemas } from './schemas.ts'
import { concerns, searchMigrations } from './tables.ts'
import * as upkeep from './upkeep.ts'

export const searchModule = defineFeature({
  name: 'search',
  pages: pageDefinitions,
  migrations: searchMigrations,
  contracts: { search: [searchEndpoints, searchSchemas] },
  routes: (context) => {
    beforeCommit(context.db, { concerns, run: fulltext.update })
    return { search: searchHandlers }
  },
  purge: ({ db }) => upkeep.purgeAll(db),
  startBackgroundWork: (context: AppContext) => upkeep.start(context),
})
