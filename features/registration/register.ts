import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { acquireAccountsLock, hashNewPassword } from '#features/people/credentials.ts'
import { addAccountToDeviceCookie } from '#features/people/device-cookies.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endSession, insertSession } from '#features/people/sessions.ts'
import { becomesFirstAdmin } from '#features/people/setup.ts'
import { createVerificationMail } from '#features/people/verification.ts'
import type { registrationEndpoints } from './contract.ts'
import { consumeInvitation, recordInvitationUse } from './invitations.ts'

type RegistrationContext = RequestContext<(typeof registrationEndpoints)['register']>

const messages = {
  closed: {
    en: 'This community does not take new members at the moment.',
    ja: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
  },
  invitationNeeded: {
    en: 'You need an invitation to join this community. Please ask a member for one.',
    ja: 'このコミュニティーに参加するには、招待が必要です。メンバーに相談してください。',
  },
}

/**
 * Checks that the person may register, and counts the use of the invitation. Returns its id, or null without
 * an invitation. Throws 403 if the settings admit nobody, or only people with an invitation. Throws 422 if
 * the invitation is not valid. This comes before all checks that look for accounts, so that a stranger does
 * not learn from them.
 */
async function admit({ settings, input }: RegistrationContext, tx: Tx) {
  const { who_can_join } = settings.current()
  if (who_can_join === 'closed') throw new HttpError(403, messages.closed)
  if (input.invitation !== null) return consumeInvitation(tx, input.invitation)
  if (who_can_join === 'invitation') throw new HttpError(403, messages.invitationNeeded)
  return null
}

/**
 * Creates an account, logs it in, and sends the mail that asks to verify the address, in one transaction.
 * Throws 422 if the e-mail address is taken, the password is a common one, or the set-up code or the
 * invitation is wrong, and 403 if the community's settings do not admit the person. They do not concern the
 * first admin.
 */
export async function registerAccount(context: RegistrationContext) {
  const { db, config, input, session, lang, realtime, client } = context
  const before = session.token
  const password_hash = await hashNewPassword(input.password, client.network)
  const account = await transaction(db, async (tx) => {
    await acquireAccountsLock(tx)
    const isFirstAdmin = await becomesFirstAdmin(config, tx, { ...input, isLocal: client.isLocal() })
    const invitation = isFirstAdmin ? null : await admit(context, tx)
    const created = await createAccount(context, tx, { ...input, password_hash, isFirstAdmin })
    if (invitation !== null) await recordInvitationUse(tx, invitation, created.id)
    await enqueueMail(tx, created.id, createVerificationMail(context, lang, created))
    await endSession(tx, realtime, before)
    await insertSession(tx, created.id, session.renew(), client)
    await saveMemberLanguage(tx, created.id, lang)
    await recordSecurityEvent(tx, created.id, 'registered', { network: client.network })
    return created
  })
  session.setDevices(addAccountToDeviceCookie(config, session.devices, account.id))
  return account
}
