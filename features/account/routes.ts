import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrors, invalidFieldError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { hashNewPassword, readOwnCredentials, savePasswordHash } from '#features/people/credentials.ts'
import { listSecurityEvents, recordSecurityEvent } from '#features/people/security-log.ts'
import {
  confirmSession,
  endOtherSessions,
  endSessionOfMember,
  listSessions,
  requireConfirmedSession,
} from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import {
  cancelEmailChange,
  readPendingEmail,
  requestEmailChange,
  undoEmailChange,
  verifyEmailChange,
} from './email-changes.ts'
import { createLogInHandler } from './log-in.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import { createPasswordChecker } from './password-check.ts'
import { countRecoveryCodes, createRecoveryCodes } from './recovery-codes.ts'
import { createPasswordResetRoutes } from './reset-password.ts'

const messages = {
  wrongPassword: { en: 'The password is not correct.', ja: 'パスワードが正しくありません。' },
  passwordChanged: {
    en: 'Your password has been changed. Other devices have been logged out.',
    ja: 'パスワードを変更し、ほかの端末をログアウトしました。',
  },
  linkSent: {
    en: 'We have sent a link to the new address. Please open it to confirm the change.',
    ja: '新しいアドレスにリンクを送りました。リンクを開いて、変更を確認してください。',
  },
  /** Without SMTP_URL, mails are files that only the operator can read. */
  linkNotSent: {
    en: 'This site cannot send mail. Please ask the operator for the link that confirms the new address.',
    ja: 'このサイトはメールを送信できません。新しいアドレスを確認するためのリンクは、運営者にお問い合わせください。',
  },
  emailChanged: { en: 'Your email address has been changed.', ja: 'メールアドレスを変更しました。' },
  emailRestored: {
    en: 'The change has been undone, and all devices have been logged out. Please set a new password.',
    ja: '変更を取り消し、すべての端末をログアウトしました。新しいパスワードを設定してください。',
  },
}

export function createAccountRoutes(app: AppContext): EndpointHandlers<typeof accountEndpoints> {
  const checkPassword = createPasswordChecker(app)
  return {
    logIn: createLogInHandler(checkPassword),
    ...createPasswordResetRoutes(app),

    confirm: async (context) => {
      const { db, input, session, client } = context
      const account = await readOwnCredentials(context)
      const { password } = input
      const { email } = account
      if (!(await checkPassword({ email, password, account, ...session, network: client.network })))
        throw invalidFieldError('password', messages.wrongPassword)
      await transaction(db, (tx) => confirmSession(tx, session.token))
    },

    changePassword: async (context) => {
      const { db, realtime, me, input, session, client, lang } = context
      const account = await readOwnCredentials(context)
      const attempt = { email: account.email, account, ...session, network: client.network }
      if (!(await checkPassword({ ...attempt, password: input.current_password })))
        throw invalidFieldError('current_password', messages.wrongPassword)
      const hash = await hashNewPassword(input.password, client.network)
      await transaction(db, async (tx) => {
        await savePasswordHash(tx, me.id, hash)
        await endOtherSessions(tx, realtime, me.id, session.token)
        await confirmSession(tx, session.token)
        await deleteLogInChallengesOf(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'password_changed', { network: client.network })
        await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'password_changed', lang, client })
      })
      return { message: messages.passwordChanged[lang] }
    },

    pendingEmail: async ({ db, me }) => ({ pending: await readPendingEmail(db, me.id) }),

    changeEmail: async (context) => {
      const { db, input, session, lang, config } = context
      await requireConfirmedSession(db, session.token)
      await requestEmailChange(context, input.email)
      return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
    },

    cancelEmailChange: async (context) => {
      await cancelEmailChange(context)
    },

    verifyEmailChange: async ({ me: _, ...context }) => {
      await verifyEmailChange(context, context.lang, context.input.token)
      return { message: messages.emailChanged[context.lang] }
    },

    undoEmailChange: async ({ me: _, ...context }) => {
      await undoEmailChange(context, context.input.token)
      return { message: messages.emailRestored[context.lang] }
    },

    sessions: ({ db, me, session }) => listSessions(db, me.id, session.token),

    endSession: async ({ db, realtime, me, input, session, client }) => {
      await requireConfirmedSession(db, session.token)
      await transaction(db, async (tx) => {
        if (!(await endSessionOfMember(tx, realtime, me.id, input.id))) throw httpErrors.notFound()
        await recordSecurityEvent(tx, me.id, 'session_ended', { network: client.network })
      })
    },

    endOtherSessions: async ({ db, realtime, me, session, client }) => {
      await requireConfirmedSession(db, session.token)
      const ended = await transaction(db, async (tx) => {
        const count = await endOtherSessions(tx, realtime, me.id, session.token)
        if (count) await recordSecurityEvent(tx, me.id, 'session_ended', { network: client.network })
        return count
      })
      return { ended }
    },

    recoveryCodes: async ({ db, me }) => ({ left: await countRecoveryCodes(db, me.id) }),

    createRecoveryCodes: async (context) => {
      const { db, me, session, client, lang } = context
      await requireConfirmedSession(db, session.token)
      const codes = await transaction(db, async (tx) => {
        const created = await createRecoveryCodes(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'recovery_codes_created', { network: client.network })
        await enqueueSecurityNotice(context, tx, {
          user: me.id,
          kind: 'recovery_codes_created',
          lang,
          client,
        })
        return created
      })
      return { codes }
    },

    securityEvents: async ({ db, me, input }) => {
      const rows = await listSecurityEvents(db, me.id, input)
      return toPagedResponse(
        rows,
        input.limit,
        (last) => ({ before: last.id }),
        (shown) =>
          shown.map(({ actor_id, ...row }) => ({
            ...row,
            by_admin: actor_id !== null && actor_id !== me.id,
          })),
      )
    },
  }
}
