import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { renderMail } from '#core/mail/template.ts'

const texts = {
  en: {
    verify: {
      subject: (app: string) => `Confirm your request to join ${app}`,
      text: (app: string) => `Somebody has asked to join ${app} with this email address and this name.`,
      button: 'Confirm the address',
      end: 'The link is valid for 24 hours. After that the admins see the request and decide. If it was not you, you can ignore this mail.',
    },
    hasAccount: {
      subject: (app: string) => `You have an account at ${app}`,
      text: (app: string) =>
        `Somebody has asked to join ${app} with this email address. You have an account already.`,
      button: 'Log in',
      end: 'If you have forgotten the password, you can set a new one from there. If it was not you who asked, you can ignore this mail.',
    },
    approved: {
      subject: (app: string) => `Welcome to ${app}`,
      text: (app: string) => `An admin has approved your request. You are a member of ${app} now.`,
      button: 'Log in',
      end: 'You log in with this email address and the password that you chose.',
    },
    approvedElsewhere: {
      subject: (app: string) => `Welcome to ${app}`,
      text: (app: string) => `An admin has approved your request. You are a member of ${app} now.`,
      button: 'Log in',
      end: 'You confirmed your address in another browser, so please choose your password once more: ask for a link with “Forgot your password?” on the page for logging in.',
    },
    refused: {
      subject: (app: string) => `Your request to join ${app}`,
      text: (app: string) =>
        `Thank you for your interest. The admins of ${app} did not approve your request.`,
      reason: (reason: string) => `They wrote: ${reason}`,
      end: 'Your name, your address and your answer have been deleted.',
    },
    waiting: {
      subject: (app: string) => `Somebody would like to join ${app}`,
      text: (n: number) =>
        n === 1
          ? 'One person waits for an answer of the admins.'
          : `${n} people wait for an answer of the admins.`,
      button: 'Show the requests',
      end: 'You can turn these mails off in the notification settings.',
    },
  },
  ja: {
    verify: {
      subject: (app: string) => `【${app}】参加の申し込みの確認`,
      text: (app: string) => `このメールアドレスとお名前で、${app}への参加が申し込まれました。`,
      button: 'アドレスを確認する',
      end: 'リンクは24時間有効です。確認が済むと、管理者が参加を承認するかどうかを決めます。お心当たりがない場合は、このメールを破棄してください。',
    },
    hasAccount: {
      subject: (app: string) => `【${app}】すでにアカウントがあります`,
      text: (app: string) =>
        `このメールアドレスで、${app}への参加が申し込まれましたが、すでにアカウントがあります。`,
      button: 'ログイン',
      end: 'パスワードを忘れた場合は、ログインページから再設定できます。お心当たりがない場合は、このメールを破棄してください。',
    },
    approved: {
      subject: (app: string) => `【${app}】ようこそ`,
      text: (app: string) => `管理者が申し込みを承認しました。${app}をご利用いただけます。`,
      button: 'ログイン',
      end: 'このメールアドレスと、申し込みのときに決めたパスワードでログインしてください。',
    },
    approvedElsewhere: {
      subject: (app: string) => `【${app}】ようこそ`,
      text: (app: string) => `管理者が申し込みを承認しました。${app}をご利用いただけます。`,
      button: 'ログイン',
      end: 'アドレスの確認が別のブラウザーだったため、パスワードをもう一度決めてください。ログインページの「パスワードをお忘れですか？」から、リンクをお受け取りください。',
    },
    refused: {
      subject: (app: string) => `【${app}】参加の申し込みについて`,
      text: (app: string) =>
        `${app}への参加をお申し込みいただき、ありがとうございました。申し訳ありませんが、今回は参加を見送らせていただきます。`,
      reason: (reason: string) => `管理者より：${reason}`,
      end: 'お名前、メールアドレス、回答は削除されました。',
    },
    waiting: {
      subject: (app: string) => `【${app}】参加の申し込みがあります`,
      text: (n: number) => `${n}人が管理者の返事を待っています。`,
      button: '申し込みを見る',
      end: 'このメールは、通知の設定でオフにできます。',
    },
  },
} satisfies Record<Language, object>

interface Recipient {
  name: string
  email: string
  lang: Language
}
type MailServices = Pick<AppContext, 'publicSite'>

/** Without the accent colour: strangers must learn only the name of a members-only community. */
const hideAccentColour = ({ name }: AppContext['publicSite']) => ({ name, accent_colour: null })

/** The token is in the fragment of the link. */
export const verification = (services: MailServices, recipient: Recipient, token: string) =>
  createButtonMail(services, recipient, 'verify', `/register#verify=${token}`)

/** For a member whose address somebody has asked to join with. */
export const hasAccount = (services: MailServices, recipient: Recipient) =>
  createButtonMail(services, recipient, 'hasAccount', '/login')

/** With `isForeign`, the person chooses a password by mail at the first log-in. */
export const approval = (services: MailServices, recipient: Recipient, isForeign: boolean) =>
  createButtonMail(services, recipient, isForeign ? 'approvedElsewhere' : 'approved', '/login')

function createButtonMail(
  { publicSite }: MailServices,
  { name, email, lang }: Recipient,
  kind: 'verify' | 'hasAccount' | 'approved' | 'approvedElsewhere',
  path: string,
) {
  const { subject, text, button, end } = texts[lang][kind]
  const app = publicSite.name
  return renderMail({
    lang,
    site: kind === 'verify' ? hideAccentColour(publicSite) : publicSite,
    to: email,
    name,
    subject: subject(app),
    paragraphs: [text(app)],
    button: { label: button, link: publicSite.origin + path },
    closing: [end],
  })
}

export function refusal(
  { publicSite }: MailServices,
  { name, email, lang }: Recipient,
  reason: string | null,
) {
  const { subject, text, reason: quote, end } = texts[lang].refused
  const app = publicSite.name
  const paragraphs = [text(app), ...(reason === null ? [] : [quote(reason)]), end]
  const site = hideAccentColour(publicSite)
  return renderMail({ lang, site, to: email, name, subject: subject(app), paragraphs })
}

/** Names nobody. */
export function waiting({ publicSite }: MailServices, recipient: Recipient, count: number) {
  const { name, email, lang } = recipient
  const { subject, text, button, end } = texts[lang].waiting
  const app = publicSite.name
  return renderMail({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: subject(app),
    paragraphs: [text(count)],
    button: { label: button, link: `${publicSite.origin}/admin/new-members` },
    closing: [end],
  })
}
