import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { renderMail } from '#core/mail/template.ts'

const texts = {
  en: {
    verifySubject: (app: string) => `Confirm your new email address for ${app}`,
    verify: (app: string) => `Please confirm that this is your new email address for ${app}.`,
    verifyButton: 'Confirm the address',
    verifyLife: 'The link is valid for 24 hours. Until then, your old address stays.',
    verifyMistake: 'If you did not ask for this, you can ignore this mail.',
    changedSubject: (app: string) => `Your email address for ${app} has changed`,
    changed: (app: string) =>
      `The email address of your account at ${app} has been changed. This address is no longer used.`,
    undoButton: 'Undo the change',
    undoLife:
      'If you did not do this, undo the change. The link is valid for seven days. It logs out all devices, and removes passkeys, recovery codes and a second step that is new. Then you set a new password.',
    noUndo:
      'The account has gone back to an address that it had before. If you did not do this, please tell an admin.',
  },
  ja: {
    verifySubject: (app: string) => `【${app}】新しいメールアドレスの確認`,
    verify: (app: string) => `${app}の新しいメールアドレスとして登録するには、下のボタンを押してください。`,
    verifyButton: 'アドレスを確認する',
    verifyLife: 'リンクは24時間有効です。確認するまでは、これまでのアドレスのままです。',
    verifyMistake: 'お心当たりがない場合は、このメールを破棄してください。',
    changedSubject: (app: string) => `【${app}】メールアドレスが変更されました`,
    changed: (app: string) =>
      `${app}のアカウントのメールアドレスが変更されました。このアドレスは今後使われません。`,
    undoButton: '変更を取り消す',
    undoLife:
      'お心当たりがない場合は、7日以内に変更を取り消してください。取り消すと、すべての端末からログアウトし、パスキー、復旧コード、最近オンにされた2段階認証が削除されます。続けて、新しいパスワードを設定してください。',
    noUndo:
      'アカウントのメールアドレスは、以前のものに戻されました。お心当たりがない場合は、管理者にお知らせください。',
  },
} satisfies Record<Language, object>

interface Recipient {
  name: string
  email: string
  /** In the fragment of the URL, which browsers do not send to servers. */
  token: string
}

type MailServices = Pick<AppContext, 'publicSite'>

export function newAddressMail(
  { publicSite }: MailServices,
  lang: Language,
  { name, email, token }: Recipient,
) {
  const t = texts[lang]
  const app = publicSite.name
  return renderMail({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: t.verifySubject(app),
    paragraphs: [t.verify(app)],
    button: { label: t.verifyButton, link: `${publicSite.origin}/account/email#verify=${token}` },
    closing: [t.verifyLife, t.verifyMistake],
  })
}

/** Without a `token` nobody can undo the change, and the mail does not say how. */
export function oldAddressMail(
  { publicSite }: MailServices,
  lang: Language,
  { name, email, token }: Omit<Recipient, 'token'> & { token: string | null },
) {
  const t = texts[lang]
  const app = publicSite.name
  const link = `${publicSite.origin}/account/email#undo=${token}`
  return renderMail({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: t.changedSubject(app),
    paragraphs: [t.changed(app)],
    ...(token && { button: { label: t.undoButton, link } }),
    closing: [token ? t.undoLife : t.noUndo],
  })
}
