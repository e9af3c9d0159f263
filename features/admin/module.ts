import { defineModule } from '#core/module.ts'
import { admin } from './contract.ts'
import { routes } from './routes.ts'

export const adminModule = defineModule({
  name: 'admin',
  contracts: { admin },
  routes: () => ({ admin: routes }),
})
