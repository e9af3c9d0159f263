import { defineModule } from '#core/module.ts'
import { adminEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { createAdminRoutes } from './routes.ts'

export const adminModule = defineModule({
  name: 'admin',
  pages,
  contracts: { admin: adminEndpoints },
  routes: (_, running) => ({
    admin: createAdminRoutes(running.flatMap(({ statistics }) => statistics ?? [])),
  }),
})
