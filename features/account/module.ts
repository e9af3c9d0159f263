import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { accountEndpoints, passkeyEndpoints, secondStepEndpoints } from './contract.ts'
import { deleteOldEmailChanges } from './email-changes.ts'
import { pages } from './pages.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { deleteOldPasswordResets, sendResetMail } from './password-resets.ts'
import { createAccountRoutes } from './routes.ts'
import { createSecondStepRoutes } from './second-step-routes.ts'
import { migrations } from './tables.ts'

export const accountModule = defineModule({
  name: 'account',
  pages,
  migrations,
  contracts: { account: accountEndpoints, secondStep: secondStepEndpoints, passkeys: passkeyEndpoints },
  routes: (context) => ({
    account: createAccountRoutes(context),
    secondStep: createSecondStepRoutes(context),
    passkeys: passkeyRoutes,
  }),
  jobs: { password_reset_mail: (payload, _, context) => sendResetMail(context, payload) },
  onReady: ({ db }) =>
    transaction(db, async (tx) => {
      await deleteOldEmailChanges(tx)
      await deleteOldPasswordResets(tx)
    }),
})
