import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineFeatureModule } from '#core/module.ts'
import { accountEndpoints } from './contract.ts'
import { deleteAccountIfStillRequested } from './deletion.ts'
import { accountDeletionEndpoints } from './deletion-contract.ts'
import { createAccountDeletionEndpointHandlers } from './deletion-routes.ts'
import { deviceLogInLinkEndpoints } from './device-link-contract.ts'
import { deviceLogInLinkEndpointHandlers } from './device-link-routes.ts'
import { deleteExpiredDeviceLogInLinks } from './device-links.ts'
import { deleteExpiredEmailChangesAndMails, deletePendingEmailChangeAndMails } from './email-changes.ts'
import { pageDefinitions } from './pages.ts'
import { passkeyEndpoints } from './passkey-contract.ts'
import { createPasskeyEndpointHandlers } from './passkey-routes.ts'
import { deleteExpiredPasswordResets, enqueuePasswordResetMail } from './password-resets.ts'
import { endPendingLogInsResetsAndEmailChange } from './pending-access.ts'
import { createAccountEndpointHandlers } from './routes.ts'
import { createSecondStepCheckFunctions } from './second-step.ts'
import { secondStepEndpoints } from './second-step-contract.ts'
import { createSecondStepEndpointHandlers } from './second-step-routes.ts'
import { accountMigrations } from './tables.ts'

export const accountModule = defineFeatureModule({
  name: 'account',
  pages: pageDefinitions,
  migrations: accountMigrations,
  contracts: {
    account: accountEndpoints,
    secondStep: secondStepEndpoints,
    passkeys: passkeyEndpoints,
    deletion: accountDeletionEndpoints,
    deviceLinks: deviceLogInLinkEndpoints,
  },
  routes: (context, running) => {
    // All handlers share the functions that check the second step, because these count the failures of all
    // requests together.
    const checker = createSecondStepCheckFunctions(context)
    return {
      account: createAccountEndpointHandlers(context, checker),
      secondStep: createSecondStepEndpointHandlers(checker),
      passkeys: createPasskeyEndpointHandlers(checker),
      deviceLinks: deviceLogInLinkEndpointHandlers,
      deletion: createAccountDeletionEndpointHandlers(
        running.flatMap(({ countContent }) => countContent ?? []),
      ),
    }
  },
  listeners: {
    'member.suspended': (tx, { id }, { config }) => endPendingLogInsResetsAndEmailChange(config, tx, id),
    // A change to the same mailbox, in another spelling, would bring the address back.
    'member.email_disowned': (tx, { id }, { config }) => deletePendingEmailChangeAndMails(config, tx, id),
  },
  jobs: {
    password_reset_mail: (payload, _, context) => enqueuePasswordResetMail(context, payload),
    delete_account: (payload, _, context) => deleteAccountIfStillRequested(context, payload),
  },
  onReady: ({ db, config }) =>
    transaction(db, async (tx) => {
      await deleteExpiredEmailChangesAndMails(config, tx)
      await deleteExpiredPasswordResets(tx)
      await deleteExpiredDeviceLogInLinks(tx)
    }),
})
