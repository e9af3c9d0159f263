import { defineModule } from '#core/module.ts'
import { channels, people } from './contract.ts'
import { grantNamed, personOf } from './model.ts'
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
  channels,
  guards: ({ db, media }) => ({ here: (me) => personOf(db, media, me) }),
  onReady: async ({ db, config }) => {
    await grantNamed(db, config)
    await forgetOldSessions(db)
  },
})
