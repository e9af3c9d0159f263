import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { renderMailMessage } from '#core/mail/template.ts'

const texts = {
  en: {
    subject: (app: string) => `Set a new password for ${app}`,
    ask: (app: string) => `Somebody has asked for a new password for your account at ${app}.`,
    button: 'Set a new password',
    life: 'The link is valid for 30 minutes and works once. It logs out all devices and removes your passkeys.',
    mistake: 'If that was not you, you can ignore this mail: your password stays as it is.',
  },
  ja: {
    subject: (app: string) => `【${app}】パスワードの再設定`,
    ask: (app: string) => `${app}のあなたのアカウントについて、パスワードの再設定が申し込まれました。`,
    button: '新しいパスワードを設定する',
    life: 'リンクは30分間有効で、一度だけ使えます。設定すると、すべての端末がログアウトされ、パスキーは削除されます。',
    mistake: 'お心当たりがない場合は、このメールを破棄してください。パスワードは変わりません。',
  },
} satisfies Record<Language, object>

interface Recipient {
  name: string
  email: string
  /**
   * The token in the link of the mail. The token is in the fragment of the URL, which browsers do not send to
   * servers.
   */
  token: string
}

/** Creates the mail with the link that sets a new password. */
export function createPasswordResetMail(
  { publicSite }: Pick<AppContext, 'publicSite'>,
  lang: Language,
  { name, email, token }: Recipient,
) {
  const t = texts[lang]
  const app = publicSite.name
  return renderMailMessage({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: t.subject(app),
    paragraphs: [t.ask(app)],
    button: { label: t.button, link: `${publicSite.origin}/reset-password#${token}` },
    closing: [t.life, t.mistake],
  })
}
