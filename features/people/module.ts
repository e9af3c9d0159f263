import { asMember } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { channels, people, setup } from './contract.ts'
import { createLogIn } from './log-in.ts'
import { fillHandles, grantNamed } from './model.ts'
import { pages } from './pages.ts'
import { createOwnRecords, person } from './read.ts'
import { routes, setupRoutes } from './routes.ts'
import { deleteOldEvents } from './security-log.ts'
import { deleteOldSessions } from './sessions.ts'
import { migrations } from './tables.ts'

export const peopleModule = defineModule({
  name: 'people',
  pages,
  initialData: [people.me],
  migrations,
  contracts: { people, setup },
  routes: (context) => ({
    people: { ...routes, logIn: createLogIn(context), me: createOwnRecords(context) },
    setup: setupRoutes,
  }),
  channels,
  guards: (context) => ({ here: (me) => person(asMember(context, me), me) }),
  onReady: async ({ db, config }) => {
    await grantNamed(db, config)
    await fillHandles(db)
    await deleteOldSessions(db)
    await transaction(db, deleteOldEvents)
  },
})
