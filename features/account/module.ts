import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { accountEndpoints } from './contract.ts'
import { deleteAccountIfDue } from './deletion.ts'
import { deletionEndpoints } from './deletion-contract.ts'
import { createDeletionRoutes } from './deletion-routes.ts'
import { deleteOldEmailChanges } from './email-changes.ts'
import { pages } from './pages.ts'
import { passkeyEndpoints } from './passkey-contract.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { deleteOldPasswordResets, sendResetMail } from './password-resets.ts'
import { endPendingAccess } from './pending-access.ts'
import { createAccountRoutes } from './routes.ts'
import { createSecondStepChecker } from './second-step.ts'
import { secondStepEndpoints } from './second-step-contract.ts'
import { createSecondStepRoutes } from './second-step-routes.ts'
import { migrations } from './tables.ts'

export const accountModule = defineModule({
  name: 'account',
  pages,
  migrations,
  contracts: {
    account: accountEndpoints,
    secondStep: secondStepEndpoints,
    passkeys: passkeyEndpoints,
    deletion: deletionEndpoints,
  },
  routes: (context, running) => {
    // One checker, because it counts the wrong codes of all calls.
    const checkSecondStep = createSecondStepChecker(context)
    return {
      account: createAccountRoutes(context, checkSecondStep),
      secondStep: createSecondStepRoutes(checkSecondStep),
      passkeys: passkeyRoutes,
      deletion: createDeletionRoutes(running.flatMap(({ countContent }) => countContent ?? [])),
    }
  },
  listeners: {
    'member.suspended': (tx, { id }, { config }) => endPendingAccess(config, tx, id),
  },
  jobs: {
    password_reset_mail: (payload, _, context) => sendResetMail(context, payload),
    delete_account: (payload, _, context) => deleteAccountIfDue(context, payload),
  },
  onReady: ({ db, config }) =>
    transaction(db, async (tx) => {
      await deleteOldEmailChanges(config, tx)
      await deleteOldPasswordResets(tx)
    }),
})
