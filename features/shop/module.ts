import { defineModule } from '#core/module.ts'
import { shopEndpoints } from './contract.ts'
import { shopExportSection } from './export.ts'
import { pages } from './pages.ts'
import { shopHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const shopModule = defineModule({
  name: 'shop',
  isDemo: true,
  pages,
  migrations,
  exportSection: shopExportSection,
  contracts: { shop: shopEndpoints },
  routes: () => ({ shop: shopHandlers }),
})
