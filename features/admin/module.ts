import { defineModule } from '#core/module.ts'
import { admin } from './contract.ts'
import { pages } from './pages.ts'
import { routes } from './routes.ts'

export const adminModule = defineModule({
  name: 'admin',
  pages,
  contracts: { admin },
  routes: (_, running) => ({ admin: routes(running.flatMap(({ statistics }) => statistics ?? [])) }),
})
