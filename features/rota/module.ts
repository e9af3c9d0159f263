import '#features/groups/events.ts'
import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { rotaEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import * as model from './model.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { rotaHandlers } from './routes.ts'
import { rotaSchemas } from './schemas.ts'
import { rotaMigrations } from './tables.ts'

/** Who does what at an event, and who rides with whom. */
export const rotaModule = defineFeature({
  name: 'rota',
  pages: pageDefinitions,
  pageSections,
  migrations: rotaMigrations,
  exportSection,
  contracts: { rota: [rotaEndpoints, rotaSchemas] },
  routes: () => ({ rota: rotaHandlers }),
  listeners: {
    'member.deleted': (tx, { id: member }, context) => model.giveBack(context, tx, { member }),
    'member.suspended': (tx, { id: member }, context) => model.giveBack(context, tx, { member }),
    'group.member_removed': (tx, { user_id: member, conversation_id: group }, context) =>
      model.giveBack(context, tx, { member, group }),
    'member.blocked': async (tx, { blocker_id, blocked_id }, context) => {
      await model.giveBack(context, tx, { member: blocker_id, author: blocked_id })
      await model.giveBack(context, tx, { member: blocked_id, author: blocker_id })
    },
  },
})
