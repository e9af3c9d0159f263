import { defineFeatureModule } from '#core/module.ts'
import { shopEndpoints } from './contract.ts'
import { shopExportSection } from './export.ts'
import { pageDefinitions } from './pages.ts'
import { shopEndpointHandlers } from './routes.ts'
import { shopMigrations } from './tables.ts'

export const shopModule = defineFeatureModule({
  name: 'shop',
  isDemo: true,
  pages: pageDefinitions,
  migrations: shopMigrations,
  exportSection: shopExportSection,
  contracts: { shop: shopEndpoints },
  routes: () => ({ shop: shopEndpointHandlers }),
})
