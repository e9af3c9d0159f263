import './events.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import * as mailLimits from '#core/mail/limits.ts'
import * as credentials from '#features/people/credentials.ts'
import { addToDevices } from '#features/people/device-cookies.ts'
import { saveLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as sessions from '#features/people/sessions.ts'
import { claimFirstAdmin } from '#features/people/setup.ts'
import { verificationMail } from '#features/people/verification.ts'
import type { registrationEndpoints } from './contract.ts'
import * as invitations from './invitations.ts'

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
    ja: 'このコミュニティーに参加するには、招待が必要です。管理者に招待をお願いしてください。',
  },
}

/**
 * Counts the use of the invitation, or resolves to null without one. 403 if nobody may register, or only
 * people with an invitation or an approval; 422 if the invitation is not valid. Before the checks that look
 * for accounts, so that a stranger does not learn who has one.
 */
async function admit({ settings, input }: RegistrationContext, tx: Tx) {
  const { who_can_join } = settings.current()
  if (who_can_join === 'closed') throw new HttpError(403, messages.closed)
  if (input.invitation !== null) return invitations.consume({ settings }, tx, input.invitation)
  if (who_can_join === 'invitation') throw new HttpError(403, messages.invitationNeeded)
  if (who_can_join === 'approval') throw new HttpError(403, messages.approvalNeeded)
  return null
}

/** Undefined for a question without an answer. */
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
 * From the request: the name that the first admin has just chosen is not in the settings before the commit.
 */
const toNamedSite = ({ publicSite, input }: RegistrationContext, isFirstAdmin: boolean) => ({
  origin: publicSite.origin,
  name: (isFirstAdmin && input.community_name) || publicSite.name,
  accent_colour: publicSite.accent_colour,
})

/**
 * One transaction. 422 if the address is taken, the password is common, or the set-up code or the invitation
 * is wrong. The first mail has the language that the first admin has just chosen for the community. 403 if the settings do not let the person register; they do not apply to the first admin.
 */
export async function registerAccount(context: RegistrationContext) {
  const { db, config, input, session, realtime, client } = context
  const before = session.token
  const password_hash = await credentials.hashNew(input.password, client.network)
  const register = () =>
    transaction(db, async (tx) => {
      await credentials.lockAll(tx)
      const isFirstAdmin = await claimFirstAdmin(config, tx, { ...input, isLocal: client.isLocal() })
      const lang = (isFirstAdmin && input.default_language) || context.lang
      const invitation = isFirstAdmin ? null : await admit(context, tx)
      const created = await createAccount(context, tx, { ...input, password_hash, isFirstAdmin })
      if (isFirstAdmin) await context.settings.save(tx, toSetupAnswers(input))
      const inviter_id = invitation?.created_by ?? null
      await context.emit(tx, 'member.joined', { id: created.id, inviter_id, approver_id: null })
      if (invitation !== null) await invitations.recordUse(context, tx, invitation, created.id)
      const mail = verificationMail(
        { ...context, publicSite: toNamedSite(context, isFirstAdmin) },
        lang,
        created,
      )
      await mailLimits.enqueue(config, tx, created.id, mail)
      await sessions.end(tx, realtime, before)
      await sessions.add(tx, created.id, session.renew(), client)
      await saveLanguage(tx, created.id, lang)
      await securityLog.record(tx, created.id, 'registered', { network: client.network })
      return created
    })
  const account = await invitations.withGroupLock(context, input.invitation, register)
  session.setDevices(addToDevices(config, session.devices, account.id))
  return account
}
