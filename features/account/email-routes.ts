import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { accountEndpoints } from './contract.ts'
import {
  cancelEmailChange,
  readUnverifiedNewEmailAddress,
  requestEmailChange,
  undoEmailChangeAndEndAllAccess,
  verifyAndCompleteEmailChange,
} from './email-changes.ts'

const messages = {
  linkSent: {
    en: 'We have sent a link to the new address. Please open it to confirm the change.',
    ja: '新しいアドレスにリンクを送りました。リンクを開いて、変更を確認してください。',
  },
  /**
   * The message after a request to change the address if SMTP_URL is not set. Mails are then files that only
   * the operator can read.
   */
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

type EmailEndpoint =
  | 'pendingEmail'
  | 'changeEmail'
  | 'cancelEmailChange'
  | 'verifyEmailChange'
  | 'undoEmailChange'

/** The handlers of the endpoints that read, change, verify and restore the e-mail address of an account. */
export const emailChangeEndpointHandlers: Pick<EndpointHandlers<typeof accountEndpoints>, EmailEndpoint> = {
  pendingEmail: async ({ db, me }) => ({ pending: await readUnverifiedNewEmailAddress(db, me.id) }),

  changeEmail: async (context) => {
    const { input, lang, config } = context
    await requestEmailChange(context, input.email)
    return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
  },

  cancelEmailChange: async (context) => {
    await cancelEmailChange(context)
  },

  verifyEmailChange: async (context) => {
    await verifyAndCompleteEmailChange(context, context.lang, context.input.token)
    return { message: messages.emailChanged[context.lang] }
  },

  undoEmailChange: async ({ me: _, ...context }) => {
    await undoEmailChangeAndEndAllAccess(context, context.input.token)
    return { message: messages.emailRestored[context.lang] }
  },
}
