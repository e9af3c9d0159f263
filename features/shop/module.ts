import { defineModule } from '#core/module.ts'
import { shop } from './contract.ts'
import { pages } from './pages.ts'
import { routes } from './routes.ts'
import { migrations } from './tables.ts'

export const shopModule = defineModule({
  name: 'shop',
  sample: true,
  pages,
  migrations,
  contracts: { shop },
  routes: () => ({ shop: routes }),
})
