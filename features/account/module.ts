import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { accountEndpoints, secondStepEndpoints } from './contract.ts'
import { deleteOldEmailChanges } from './email-changes.ts'
import { pages } from './pages.ts'
import { createAccountRoutes } from './routes.ts'
import { createSecondStepRoutes } from './second-step-routes.ts'
import { migrations } from './tables.ts'

export const accountModule = defineModule({
  name: 'account',
  pages,
  migrations,
  contracts: { account: accountEndpoints, secondStep: secondStepEndpoints },
  routes: (context) => ({
    account: createAccountRoutes(context),
    secondStep: createSecondStepRoutes(context),
  }),
  onReady: ({ db }) => transaction(db, deleteOldEmailChanges),
})
