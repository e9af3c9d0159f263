import { defineModule } from '#core/module.ts'
import { registrationEndpoints, setupEndpoints } from './contract.ts'
import { registrationExportSection } from './export.ts'
import { invitationEndpoints } from './invitation-contract.ts'
import { pages } from './pages.ts'
import { invitationRoutes, registrationRoutes, setupRoutes } from './routes.ts'
import { migrations } from './tables.ts'

export const registrationModule = defineModule({
  name: 'registration',
  pages,
  migrations,
  exportSection: registrationExportSection,
  contracts: { registration: registrationEndpoints, setup: setupEndpoints, invitations: invitationEndpoints },
  routes: () => ({ registration: registrationRoutes, setup: setupRoutes, invitations: invitationRoutes }),
})
