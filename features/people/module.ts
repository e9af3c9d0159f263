import { createMemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { grantConfiguredAdmins } from './admins.ts'
import { blockEndpoints } from './block-contract.ts'
import { blockRoutes } from './block-routes.ts'
import { peopleChannels, peopleEndpoints } from './contract.ts'
import { peopleExportSection } from './export.ts'
import { pages } from './pages.ts'
import { createCachedMeReader, readPerson } from './read.ts'
import { peopleRoutes } from './routes.ts'
import { deleteOldSecurityEvents } from './security-log.ts'
import { deleteOldSessions } from './sessions.ts'
import { migrations } from './tables.ts'

export const peopleModule = defineModule({
  name: 'people',
  pages,
  initialData: [peopleEndpoints.me],
  migrations,
  exportSection: peopleExportSection,
  contracts: { people: peopleEndpoints, blocks: blockEndpoints },
  routes: (context) => ({
    people: { ...peopleRoutes, me: createCachedMeReader(context) },
    blocks: blockRoutes,
  }),
  channels: peopleChannels,
  guards: (context) => ({ online: (me) => readPerson(createMemberContext(context, me), me) }),
  jobs: {
    close_sockets: async ({ user }, _, { realtime }) => realtime.revoke({ user }),
  },
  onReady: async ({ db, config }) => {
    await grantConfiguredAdmins(db, config)
    await deleteOldSessions(db)
    await transaction(db, deleteOldSecurityEvents)
  },
})
