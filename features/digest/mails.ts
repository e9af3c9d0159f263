import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { renderMail } from '#core/mail/template.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { describeNotification } from '#features/notifications/describe.ts'

const texts = {
  en: {
    subject: (app: string) => `What is new at ${app}`,
    intro: (app: string) => `This happened at ${app} while you were away.`,
    messages: (messages: number, chats: number) =>
      `${messages === 1 ? '1 unread message' : `${messages} unread messages`} in ${chats === 1 ? '1 chat' : `${chats} chats`}`,
    more: (count: number) => `and ${count} more`,
    button: 'Open',
    why: 'You get this mail because you have not visited for a while.',
    end: (link: string) => `To get no more of these mails, open this link: ${link}`,
  },
  ja: {
    subject: (app: string) => `【${app}】新着のまとめ`,
    intro: (app: string) => `しばらくご利用のない間に、${app}で次のことがありました。`,
    messages: (messages: number, chats: number) => `未読メッセージ${messages}件（チャット${chats}件）`,
    more: (count: number) => `ほか${count}件`,
    button: '開く',
    why: 'このメールは、しばらくご利用のない方にお送りしています。',
    end: (link: string) => `今後このメールを受け取らない場合は、次のリンクを開いてください：${link}`,
  },
} satisfies Record<Language, object>

interface Digest {
  name: string
  email: string
  /** For the unsubscribe link. */
  token: string
  /** Newest first. */
  notifications: readonly Notification[]
  /** Further notifications, only counted. */
  more: number
  /** Unread messages, in `chats` chats. */
  messages: number
  chats: number
}

/** `unsubscribe` adds the headers of RFC 8058: mail programs show a button that ends the digests. */
export function renderDigest(
  publicSite: AppContext['publicSite'],
  lang: Language,
  { name, email, token, notifications, more, messages, chats }: Digest,
): MailMessage {
  const t = texts[lang]
  const { origin } = publicSite
  const unsubscribe = `${origin}/digest/unsubscribe/${token}`
  const mail = renderMail({
    lang,
    site: publicSite,
    to: email,
    name,
    subject: t.subject(publicSite.name),
    paragraphs: [
      t.intro(publicSite.name),
      ...(messages ? [t.messages(messages, chats)] : []),
      ...notifications.map((notification) => describeNotification(notification, lang)),
      ...(more ? [t.more(more)] : []),
    ],
    button: {
      label: t.button,
      link: `${origin}${notifications.length ? '/notifications' : '/chats/unread'}`,
    },
    closing: [t.why, t.end(unsubscribe)],
  })
  return { ...mail, unsubscribe }
}
