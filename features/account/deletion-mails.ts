import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { longDate } from '#core/text/times.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import type { findRecipient } from '#features/people/read.ts'

const texts = {
  en: {
    requested: {
      subject: (app: string) => `Your account on ${app} will be deleted`,
      paragraphs: (date: string) => [
        `You have asked us to delete your account. It will be deleted on ${date}. Until then you can use it as before.`,
        'You can take this back on the page of your account.',
      ],
      closing: ['If that was not you, keep the account, and change your password at once.'],
    },
    requestedByAdmin: {
      subject: (app: string) => `Your account on ${app} will be deleted`,
      paragraphs: (date: string) => [
        `An admin has suspended your account. It will be deleted on ${date}.`,
        'If you want to keep it, please contact an admin before that day.',
      ],
      closing: [],
    },
    kept: {
      subject: (app: string) => `Your account on ${app} stays`,
      paragraphs: () => ['An admin has taken the deletion of your account back. Nothing has been deleted.'],
      closing: [],
    },
    done: {
      subject: (app: string) => `Your account on ${app} has been deleted`,
      paragraphs: () => [
        'Your account has been deleted. This is the last mail to you.',
        'Backups may contain your data until they are deleted in turn.',
      ],
      closing: [],
    },
    button: 'Open your account',
  },
  ja: {
    requested: {
      subject: (app: string) => `【${app}】アカウントが削除されます`,
      paragraphs: (date: string) => [
        `アカウントの削除を受け付けました。${date}に削除されます。それまでは、これまでどおりお使いいただけます。`,
        '「アカウント」ページで、削除を取り消すことができます。',
      ],
      closing: ['お心当たりがない場合は、削除を取り消し、すぐにパスワードを変更してください。'],
    },
    requestedByAdmin: {
      subject: (app: string) => `【${app}】アカウントが削除されます`,
      paragraphs: (date: string) => [
        `管理者が、あなたのアカウントを利用停止にしました。アカウントは${date}に削除されます。`,
        '削除を望まない場合は、その日までに管理者にお問い合わせください。',
      ],
      closing: [],
    },
    kept: {
      subject: (app: string) => `【${app}】アカウントの削除が取り消されました`,
      paragraphs: () => ['管理者が、アカウントの削除を取り消しました。投稿などは、すべてそのままです。'],
      closing: [],
    },
    done: {
      subject: (app: string) => `【${app}】アカウントを削除しました`,
      paragraphs: () => [
        'アカウントを削除しました。これが最後のメールです。',
        'サーバーのバックアップにはしばらくデータが残りますが、順に削除されます。',
      ],
      closing: [],
    },
    button: 'アカウントを開く',
  },
} satisfies Record<Language, object>

export type DeletionMailContext = Pick<AppContext, 'config' | 'publicSite'> & {
  settings: Pick<AppContext['settings'], 'current'>
}

interface DeletionMail {
  /** Null if the account is already deleted. */
  user_id: number | null
  recipient: Awaited<ReturnType<typeof findRecipient>>
  lang: Language
  kind: 'requested' | 'requestedByAdmin' | 'kept' | 'done'
  /** ISO 8601. */
  due_at: string
}

export async function sendDeletionMail(
  { config, publicSite, settings }: DeletionMailContext,
  tx: Tx,
  { user_id, recipient, lang, kind, due_at }: DeletionMail,
) {
  if (!canMail(config, recipient)) return
  const { subject, paragraphs, closing } = texts[lang][kind]
  const date = longDate(due_at, lang, settings.current().time_zone ?? 'UTC')
  await mailMember({ publicSite }, tx, user_id, recipient, {
    lang,
    subject,
    paragraphs: paragraphs(date),
    ...(kind === 'requested' && { button: { label: texts[lang].button, path: '/account' } }),
    closing,
  })
}
