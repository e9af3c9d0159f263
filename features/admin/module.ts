import { defineModule } from '#core/module.ts'
import { auditLogListeners, listAuditLog } from './audit-log.ts'
import { auditLogEndpoints } from './audit-log-contract.ts'
import { adminEndpoints } from './contract.ts'
import { addedPageSections, pages } from './pages.ts'
import { createAdminRoutes } from './routes.ts'

export const adminModule = defineModule({
  name: 'admin',
  pages,
  addedPageSections,
  listeners: auditLogListeners,
  contracts: { admin: adminEndpoints, auditLog: auditLogEndpoints },
  routes: (_, running) => ({
    admin: createAdminRoutes(running.flatMap(({ statistics }) => statistics ?? [])),
    auditLog: { list: (context) => listAuditLog(context, context.input) },
  }),
})
