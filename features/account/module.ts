import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineModule } from '#core/module.ts'
import { accountEndpoints } from './contract.ts'
import { deleteAccountIfStillRequested } from './deletion.ts'
import { deletionEndpoints } from './deletion-contract.ts'
import { createDeletionHandlers } from './deletion-routes.ts'
import { deviceLinkEndpoints } from './device-link-contract.ts'
import { deviceLinkHandlers } from './device-link-routes.ts'
import { deleteOldDeviceLinks } from './device-links.ts'
import { deleteOldEmailChanges } from './email-changes.ts'
import { pages } from './pages.ts'
import { passkeyEndpoints } from './passkey-contract.ts'
import { createPasskeyHandlers } from './passkey-routes.ts'
import { deleteOldPasswordResets, enqueuePasswordResetMail } from './password-resets.ts'
import { endPendingAccess } from './pending-access.ts'
import { createAccountHandlers } from './routes.ts'
import { createSecondStepChecker } from './second-step.ts'
import { secondStepEndpoints } from './second-step-contract.ts'
import { createSecondStepHandlers } from './second-step-routes.ts'
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
    deviceLinks: deviceLinkEndpoints,
  },
  routes: (context, running) => {
    // All routes share one checker of the second step, because it counts the failures of all calls.
    const checker = createSecondStepChecker(context)
    return {
      account: createAccountHandlers(context, checker),
      secondStep: createSecondStepHandlers(checker),
      passkeys: createPasskeyHandlers(checker),
      deviceLinks: deviceLinkHandlers,
      deletion: createDeletionHandlers(running.flatMap(({ countContent }) => countContent ?? [])),
    }
  },
  listeners: {
    'member.suspended': (tx, { id }, { config }) => endPendingAccess(config, tx, id),
  },
  jobs: {
    password_reset_mail: (payload, _, context) => enqueuePasswordResetMail(context, payload),
    delete_account: (payload, _, context) => deleteAccountIfStillRequested(context, payload),
  },
  onReady: ({ db, config }) =>
    transaction(db, async (tx) => {
      await deleteOldEmailChanges(config, tx)
      await deleteOldPasswordResets(tx)
      await deleteOldDeviceLinks(tx)
    }),
})
