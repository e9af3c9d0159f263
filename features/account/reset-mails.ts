import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { renderMail } from '#core/mail/template.ts'

const texts = {
  en: {
    subject: (app: string) => `Set a new password for ${app}`,
    ask: (app: string) => `Somebody has asked for a new password for your account at ${app}.`,
    button: 'Set a new password',
    life: 'The link is valid for 30 minutes and works once. It logs out all devices and removes your passkeys.',
    mistake: 'If that was not you, you can ignore this mail: your password stays as it is.',
  },
  ja: {
    subject: (app: string) => `【${app}】パスワード再設定用のリンク`,
    ask: (app: string) =>
      `${app}で、パスワードの再設定の依頼を受け付けました。下のボタンから、新しいパスワードを設定してください。`,
    button: '新しいパスワードを設定する',
    life: 'リンクは30分間、一度だけ使えます。設定すると、すべての端末からログアウトし、パスキーは削除されます。',
    mistake: 'お心当たりがない場合は、このメールを破棄してください。パスワードは変わりません。',
  },
} satisfies Record<Language, object>

interface Recipient {
  name: string
  email: string
  /** In the fragment of the URL, which browsers do not send to servers. */
  token: string
}

export function resetMail(
  { publicSite }: Pick<AppContext, 'publicSite'>,
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
    subject: t.subject(app),
    paragraphs: [t.ask(app)],
    button: { label: t.button, link: `${publicSite.origin}/reset-password#${token}` },
    closing: [t.life, t.mistake],
  })
}
