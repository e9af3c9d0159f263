import { asMember } from '#core/context.ts'
import { defineModule } from '#core/module.ts'
import { channels, people } from './contract.ts'
import { grantNamed } from './model.ts'
import { pages } from './pages.ts'
import { person } from './read.ts'
import { routes } from './routes.ts'
import { deleteOldSessions } from './sessions.ts'
import { migrations } from './tables.ts'

export const peopleModule = defineModule({
  name: 'people',
  pages,
  initialData: [people.me],
  migrations,
  contracts: { people },
  routes: () => ({ people: routes }),
  channels,
  guards: (context) => ({ here: (me) => person(asMember(context, me), me) }),
  onReady: async ({ db, config }) => {
    await grantNamed(db, config)
    await deleteOldSessions(db)
  },
})
