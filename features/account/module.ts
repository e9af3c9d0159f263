import '#features/people/events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineFeature } from '#core/feature/module.ts'
import {
  accountEndpoints,
  deletionEndpoints,
  deviceLinkEndpoints,
  passkeyEndpoints,
  secondStepEndpoints,
} from './contract.ts'
import * as deletions from './deletion.ts'
import { deletionHandlers } from './deletion-routes.ts'
import { deviceLinkHandlers } from './device-link-routes.ts'
import * as deviceLinks from './device-links.ts'
import * as emailChanges from './email-changes.ts'
import { passkeyHandlers } from './passkey-routes.ts'
import { passkeySchemas } from './passkey-schemas.ts'
import * as resets from './password-resets.ts'
import { endPendingAccess } from './pending-access.ts'
import { accountHandlers } from './routes.ts'
import { accountSchemas, deletionSchemas, deviceLinkSchemas, secondStepSchemas } from './schemas.ts'
import { secondStepChecks } from './second-step.ts'
import { secondStepHandlers } from './second-step-routes.ts'
import { serverPages } from './server-pages.ts'
import { accountMigrations } from './tables.ts'

export const accountModule = defineFeature({
  name: 'account',
  pages: serverPages,
  migrations: accountMigrations,
  contracts: {
    account: [accountEndpoints, accountSchemas],
    secondStep: [secondStepEndpoints, secondStepSchemas],
    passkeys: [passkeyEndpoints, passkeySchemas],
    deletion: [deletionEndpoints, deletionSchemas],
    deviceLinks: [deviceLinkEndpoints, deviceLinkSchemas],
  },
  routes: (context, running) => {
    // Shared by all handlers, to count the failures of all requests together.
    const checker = secondStepChecks(context)
    return {
      account: accountHandlers(context, checker),
      secondStep: secondStepHandlers(checker),
      passkeys: passkeyHandlers(checker),
      deviceLinks: deviceLinkHandlers,
      deletion: deletionHandlers(running.flatMap(({ countContent }) => countContent ?? [])),
    }
  },
  listeners: {
    'member.suspended': (tx, { id }, { config }) => endPendingAccess(config, tx, id),
    // A change to the same mailbox, in another spelling, would bring the address back.
    'member.email_disowned': (tx, { id }, { config }) => emailChanges.removePending(config, tx, id),
  },
  jobs: {
    password_reset_mail: (payload, _, context) => resets.sendMail(context, payload),
    delete_account: (payload, _, context) => deletions.run(context, payload),
  },
  onReady: ({ db, config }) =>
    transaction(db, async (tx) => {
      await emailChanges.deleteExpired(config, tx)
      await resets.deleteExpired(tx)
      await deviceLinks.deleteExpired(tx)
    }),
})
