import type { Handlers } from '#core/http/endpoints.ts'
import type { accountEndpoints } from './contract.ts'
import * as emailChanges from './email-changes.ts'

const messages = {
  linkSent: {
    en: 'We have sent a link to the new address. Please open it to confirm the change.',
    ja: '新しいメールアドレスに確認メールを送りました。メールのリンクを開くと、変更が完了します。',
  },
  /** Without SMTP_URL, mails are files that only the operator can read. */
  linkNotSent: {
    en: 'This site cannot send mail. Please ask the operator for the link that confirms the new address.',
    ja: 'このサイトではメールを送れません。確認用のリンクは、サーバーの運営者から受け取ってください。',
  },
  emailChanged: { en: 'Your email address has been changed.', ja: 'メールアドレスを変更しました。' },
  emailRestored: {
    en: 'The change has been undone, and all devices have been logged out. Please set a new password.',
    ja: '変更を取り消し、すべての端末からログアウトしました。新しいパスワードを設定してください。',
  },
}

type EmailEndpoint =
  | 'pendingEmail'
  | 'changeEmail'
  | 'cancelEmailChange'
  | 'verifyEmailChange'
  | 'undoEmailChange'

export const emailHandlers: Pick<Handlers<typeof accountEndpoints>, EmailEndpoint> = {
  pendingEmail: async ({ db, me }) => ({ pending: await emailChanges.findPending(db, me.id) }),

  changeEmail: async (context) => {
    const { input, lang, config } = context
    await emailChanges.request(context, input.email)
    return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
  },

  cancelEmailChange: async (context) => {
    await emailChanges.cancel(context)
  },

  verifyEmailChange: async (context) => {
    await emailChanges.verify(context, context.lang, context.input.token)
    return { message: messages.emailChanged[context.lang] }
  },

  undoEmailChange: async ({ me: _, ...context }) => {
    await emailChanges.undo(context, context.input.token)
    return { message: messages.emailRestored[context.lang] }
  },
}
