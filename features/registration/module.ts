import { defineModule } from '#core/module.ts'
import { registrationEndpoints, setupEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { registrationRoutes, setupRoutes } from './routes.ts'

export const registrationModule = defineModule({
  name: 'registration',
  pages,
  contracts: { registration: registrationEndpoints, setup: setupEndpoints },
  routes: () => ({ registration: registrationRoutes, setup: setupRoutes }),
})
