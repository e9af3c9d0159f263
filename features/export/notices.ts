import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'

const texts = {
  en: {
    subject: (app: string) => `Your data from ${app} is ready`,
    text: 'The archive of your data is ready. You can download it on your account page for a week; then it is deleted.',
    button: 'Download',
    mistake:
      'If you did not ask for it, delete the archive, change your password at once and end the other sessions.',
  },
  ja: {
    subject: (app: string) => `【${app}】データの控えができました`,
    text: 'あなたのデータの控えができました。1週間、「アカウント」ページからダウンロードできます。その後は削除されます。',
    button: 'ダウンロードする',
    mistake:
      'お心当たりがない場合は、データの控えを削除し、すぐにパスワードを変更して、ほかの端末からログアウトしてください。',
  },
} satisfies Record<Language, object>

export async function enqueueReadyMail(
  context: Pick<AppContext, 'config' | 'publicSite'>,
  tx: Tx,
  member: number,
  lang: Language,
) {
  const recipient = await people.findRecipient(tx, member)
  if (!canMail(context.config, recipient)) return
  const t = texts[lang]
  await mailMember(context, tx, member, recipient, {
    lang,
    subject: t.subject,
    paragraphs: [t.text],
    button: { label: t.button, path: '/account' },
    closing: [t.mistake],
  })
}
