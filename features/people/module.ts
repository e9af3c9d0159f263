import { defineModule } from '#core/module.ts'
import { people } from './contract.ts'
import { grantNamed } from './model.ts'
import { pages } from './pages.ts'
import { routes } from './routes.ts'
import { forgetOldSessions } from './sessions.ts'
import { migrations } from './tables.ts'

export const peopleModule = defineModule({
  name: 'people',
  pages,
  initialData: [people.me],
  migrations,
  contracts: { people },
  routes: () => ({ people: routes }),
  onReady: async ({ db, config }) => {
    await grantNamed(db, config)
    await forgetOldSessions(db)
  },
})
