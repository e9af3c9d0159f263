import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { hashNewPassword, lockAccounts } from '#features/people/credentials.ts'
import { addAccountToDeviceCookie } from '#features/people/device-cookies.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endSession, insertSession } from '#features/people/sessions.ts'
import { becomesFirstAdmin } from '#features/people/setup.ts'
import { createVerificationMail } from '#features/people/verification.ts'
import type { registrationEndpoints } from './contract.ts'

type RegistrationContext = RequestContext<(typeof registrationEndpoints)['register']>

const messages = {
  closed: {
    en: 'This community does not take new members at the moment.',
    ja: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
  },
}

/** Throws 403 if nobody may register at the moment. */
function requireAdmission({ settings }: RegistrationContext) {
  if (settings.current().who_can_join === 'closed') throw new HttpError(403, messages.closed)
}

/**
 * Creates an account, logs it in, and sends the mail that asks to verify the address, in one transaction.
 * Throws 422 if the e-mail address is taken, the password is a common one, or the set-up code is wrong, and
 * 403 if the community's settings do not admit the person. They do not concern the first admin.
 */
export async function registerAccount(context: RegistrationContext) {
  const { db, config, input, session, lang, realtime, client } = context
  const before = session.token
  const password_hash = await hashNewPassword(input.password, client.network)
  const account = await transaction(db, async (tx) => {
    await lockAccounts(tx)
    const isFirstAdmin = await becomesFirstAdmin(config, tx, { ...input, isLocal: client.isLocal() })
    if (!isFirstAdmin) requireAdmission(context)
    const created = await createAccount(context, tx, { ...input, password_hash, isFirstAdmin })
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
