import { defineModule } from '#core/module.ts'
import { accountEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { createAccountRoutes } from './routes.ts'

export const accountModule = defineModule({
  name: 'account',
  pages,
  contracts: { account: accountEndpoints },
  routes: (context) => ({ account: createAccountRoutes(context) }),
})
