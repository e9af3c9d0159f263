import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueLimitedMailToUnverifiedAddress } from '#core/mail/limits.ts'
import { acquireAccountsLock, checkAndHashNewPassword } from '#features/people/credentials.ts'
import { addAccountToDeviceCookieValue } from '#features/people/device-cookies.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endSession, insertSession } from '#features/people/sessions.ts'
import { shouldBecomeFirstAdmin } from '#features/people/setup.ts'
import { createEmailVerificationMail } from '#features/people/verification.ts'
import type { registrationEndpoints } from './contract.ts'
import { consumeOneUseOfInvitation, recordInvitationUse, withGroupLockOfInvitation } from './invitations.ts'

type RegistrationContext = RequestContext<(typeof registrationEndpoints)['register']>

const messages = {
  closed: {
    en: 'This community does not take new members at the moment.',
    ja: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
  },
  approvalNeeded: {
    en: 'Admins decide who joins this community. Please load the page again, and answer the question.',
    ja: 'このコミュニティーへの参加は、管理者が承認します。ページを読み込み直して、質問に答えてください。',
  },
  invitationNeeded: {
    en: 'You need an invitation to join this community. Please ask a member for one.',
    ja: 'このコミュニティーに参加するには、招待が必要です。メンバーに相談してください。',
  },
}

/**
 * Checks that the settings and the invitation let the person register, and counts the use of the invitation.
 * Returns the invitation, or null without one. Throws 403 if nobody may register, or only people with an
 * invitation or an approval. Throws 422 if the invitation is not valid. The registration calls this function
 * before the checks that look for accounts, so that a stranger does not learn from them who has an account.
 */
async function admit({ settings, input }: RegistrationContext, tx: Tx) {
  const { who_can_join } = settings.current()
  if (who_can_join === 'closed') throw new HttpError(403, messages.closed)
  if (input.invitation !== null) return consumeOneUseOfInvitation({ settings }, tx, input.invitation)
  if (who_can_join === 'invitation') throw new HttpError(403, messages.invitationNeeded)
  if (who_can_join === 'approval') throw new HttpError(403, messages.approvalNeeded)
  return null
}

/**
 * Returns the answers of the first admin to the questions of the set-up page; undefined for a question
 * without an answer.
 */
const toSetupAnswers = ({
  community_name,
  who_can_join,
  who_can_read,
  show_samples,
  default_language,
  time_zone,
  new_member_days,
}: RegistrationContext['input']) => ({
  community_name,
  who_can_join,
  who_can_read,
  show_samples,
  default_language,
  time_zone,
  new_member_days,
})

/**
 * Returns the address, the name and the accent colour of the site for the mail. The name that the first admin
 * has just chosen is not in the settings before the commit, so this function takes it from the request.
 */
const toNamedSite = ({ publicSite, input }: RegistrationContext, isFirstAdmin: boolean) => ({
  origin: publicSite.origin,
  name: (isFirstAdmin && input.community_name) || publicSite.name,
  accent_colour: publicSite.accent_colour,
})

/**
 * Creates an account, logs it in, and enqueues the mail that verifies the e-mail address, in one transaction.
 * Returns the account. Throws 422 if the e-mail address is taken, the password is a common one, or the set-up
 * code or the invitation is wrong. Throws 403 if the settings do not let the person register; the settings do
 * not apply to the first admin.
 */
export async function registerAccount(context: RegistrationContext) {
  const { db, config, input, session, lang, realtime, client } = context
  const before = session.token
  const password_hash = await checkAndHashNewPassword(input.password, client.network)
  const register = () =>
    transaction(db, async (tx) => {
      await acquireAccountsLock(tx)
      const isFirstAdmin = await shouldBecomeFirstAdmin(config, tx, { ...input, isLocal: client.isLocal() })
      const invitation = isFirstAdmin ? null : await admit(context, tx)
      const created = await createAccount(context, tx, { ...input, password_hash, isFirstAdmin })
      if (isFirstAdmin) await context.settings.save(tx, toSetupAnswers(input))
      if (invitation !== null) await recordInvitationUse(context, tx, invitation, created.id)
      const mail = createEmailVerificationMail(
        { ...context, publicSite: toNamedSite(context, isFirstAdmin) },
        lang,
        created,
      )
      await enqueueLimitedMailToUnverifiedAddress(config, tx, created.id, mail)
      await endSession(tx, realtime, before)
      await insertSession(tx, created.id, session.renew(), client)
      await saveMemberLanguage(tx, created.id, lang)
      await recordSecurityEvent(tx, created.id, 'registered', { network: client.network })
      return created
    })
  const account = await withGroupLockOfInvitation(context, input.invitation, register)
  session.setDevices(addAccountToDeviceCookieValue(config, session.devices, account.id))
  return account
}
