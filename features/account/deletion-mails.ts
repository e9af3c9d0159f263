import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMailMessage } from '#core/mail/template.ts'
import type { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'

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
        'アカウントのページで、削除を取り消すことができます。',
      ],
      closing: ['お心当たりがない場合は、削除を取り消し、すぐにパスワードを変更してください。'],
    },
    requestedByAdmin: {
      subject: (app: string) => `【${app}】アカウントが削除されます`,
      paragraphs: (date: string) => [
        `管理者がアカウントを停止しました。アカウントは${date}に削除されます。`,
        '削除を望まない場合は、その日までに管理者にお問い合わせください。',
      ],
      closing: [],
    },
    kept: {
      subject: (app: string) => `【${app}】アカウントの削除の取り消し`,
      paragraphs: () => ['管理者がアカウントの削除を取り消しました。削除されたものはありません。'],
      closing: [],
    },
    done: {
      subject: (app: string) => `【${app}】アカウントを削除しました`,
      paragraphs: () => [
        'アカウントを削除しました。これが最後のメールです。',
        'バックアップには、順に削除されるまでデータが残ることがあります。',
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
  /** The id of the account that the mail is about; null if the account is already deleted. */
  user_id: number | null
  recipient: Awaited<ReturnType<typeof readNameHandleEmailAndVerifiedTime>>
  lang: Language
  kind: 'requested' | 'requestedByAdmin' | 'kept' | 'done'
  /** The time for which the deletion was planned, in ISO 8601. */
  due_at: string
}

/**
 * Enqueues a mail about the deletion of an account to its owner, in the transaction `tx`. A job sends the
 * mail after the commit. Enqueues nothing if the address is not verified, because it may belong to a
 * stranger, and nothing without SMTP_URL, because only the operator could read the mail.
 */
export async function enqueueAccountDeletionMail(
  { config, publicSite, settings }: DeletionMailContext,
  tx: Tx,
  { user_id, recipient, lang, kind, due_at }: DeletionMail,
) {
  if (!config.SMTP_URL || !recipient?.email || !recipient.email_verified_at) return
  const { subject, paragraphs, closing } = texts[lang][kind]
  const date = new Date(due_at).toLocaleDateString(lang, {
    dateStyle: 'long',
    timeZone: settings.current().time_zone ?? 'UTC',
  })
  const mail = renderMailMessage({
    lang,
    site: publicSite,
    to: recipient.email,
    name: recipient.name,
    subject: subject(publicSite.name),
    paragraphs: paragraphs(date),
    ...(kind === 'requested' && {
      button: { label: texts[lang].button, link: `${publicSite.origin}/account` },
    }),
    closing,
  })
  await enqueueMail(tx, user_id, mail)
}
