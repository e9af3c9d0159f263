import { defineFeature } from '#core/feature/module.ts'
import { shopEndpoints } from './contract.ts'
import { shopExport } from './export.ts'
import { shopHandlers } from './routes.ts'
import { shopSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { shopMigrations } from './tables.ts'

export const shopModule = defineFeature({
  name: 'shop',
  isDemo: true,
  pages: serverPages,
  migrations: shopMigrations,
  exportSection: shopExport,
  contracts: { shop: [shopEndpoints, shopSchemas] },
  routes: () => ({ shop: shopHandlers }),
})
