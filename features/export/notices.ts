import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMailMessage } from '#core/mail/template.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'

const texts = {
  en: {
    subject: (app: string) => `Your data from ${app} is ready`,
    text: 'The archive of your data is ready. You can download it on your account page for a week; then it is deleted.',
    button: 'Download',
    mistake:
      'If you did not ask for it, delete the archive, change your password at once and end the other sessions.',
  },
  ja: {
    subject: (app: string) => `【${app}】データの準備ができました`,
    text: 'あなたのデータのアーカイブができました。アカウントのページから1週間ダウンロードできます。その後は削除されます。',
    button: 'ダウンロードする',
    mistake:
      'お心当たりがない場合は、アーカイブを削除し、すぐにパスワードを変更して、ほかの端末をログアウトしてください。',
  },
} satisfies Record<Language, object>

/**
 * Enqueues the mail that tells a member that the archive is ready. Enqueues nothing if the address is not
 * verified, because it may be a stranger's, and nothing without SMTP_URL, because only the operator could
 * read the mail.
 */
export async function enqueueDataExportReadyMail(
  { config, publicSite }: Pick<AppContext, 'config' | 'publicSite'>,
  tx: Tx,
  member: number,
  lang: Language,
) {
  const recipient = await readNameHandleEmailAndVerifiedTime(tx, member)
  if (!config.SMTP_URL || !recipient?.email || !recipient.email_verified_at) return
  const t = texts[lang]
  const mail = renderMailMessage({
    lang,
    site: publicSite,
    to: recipient.email,
    name: recipient.name,
    subject: t.subject(publicSite.name),
    paragraphs: [t.text],
    button: { label: t.button, link: `${publicSite.origin}/account` },
    closing: [t.mistake],
  })
  await enqueueMail(tx, member, mail)
}
