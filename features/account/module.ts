import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { accountEndpoints } from './contract.ts'
import { deleteOldEmailChanges } from './email-changes.ts'
import { pages } from './pages.ts'
import { createAccountRoutes } from './routes.ts'
import { migrations } from './tables.ts'

export const accountModule = defineModule({
  name: 'account',
  pages,
  migrations,
  contracts: { account: accountEndpoints },
  routes: (context) => ({ account: createAccountRoutes(context) }),
  onReady: ({ db }) => transaction(db, deleteOldEmailChanges),
})
