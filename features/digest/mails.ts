import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { NewsEntry, NewsSection } from '#core/feature/news.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { renderMail } from '#core/mail/template.ts'

const texts = {
  en: {
    subject: (app: string) => `What is new at ${app}`,
    intro: (app: string) => `This happened at ${app} while you were away.`,
    messages: (messages: number, chats: number) =>
      `${messages === 1 ? '1 unread message' : `${messages} unread messages`} in ${chats === 1 ? '1 chat' : `${chats} chats`}`,
    parts: {
      asked: 'Waiting for you:',
      mentions: 'For you:',
      announcements: 'Announcements:',
      groups: 'Your groups:',
      rest: 'Also new:',
    },
    unread: (name: string, count: number) =>
      `${name}: ${count === 1 ? '1 unread message' : `${count} unread messages`}`,
    more: (count: number) => `and ${count} more`,
    button: 'Open',
    why: 'You get this mail because you have not visited for a while.',
    end: (link: string) => `To get no more of these mails, open this link: ${link}`,
  },
  ja: {
    subject: (app: string) => `【${app}】新着のまとめ`,
    intro: (app: string) => `しばらくご利用のない間に、${app}で次のことがありました。`,
    messages: (messages: number, chats: number) => `未読メッセージ${messages}件（チャット${chats}件）`,
    parts: {
      asked: '■ あなたへのお願い',
      mentions: '■ あなた宛て',
      announcements: '■ お知らせ',
      groups: '■ グループ',
      rest: '■ そのほか',
    },
    unread: (name: string, count: number) => `${name}：未読メッセージ${count}件`,
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
  sections: readonly NewsSection[]
  /** Unread messages, in `chats` chats. */
  messages: number
  chats: number
}

const isNoChat = ({ count }: NewsEntry) => count === undefined

function describeSection({ part, entries, more }: NewsSection, lang: Language) {
  const t = texts[lang]
  if (!entries.length) return []
  // Of messages only the number: mails are read by others more easily than the app.
  const lines = entries.map(({ title, text, count }) =>
    count === undefined
      ? [title, text].filter(Boolean).join(lang === 'ja' ? '：' : ': ')
      : t.unread(title, count),
  )
  return [t.parts[part], ...lines, ...(more ? [t.more(more)] : [])]
}

/** `unsubscribe` adds the headers of RFC 8058: mail programs show a button that ends the digests. */
export function renderDigest(
  publicSite: AppContext['publicSite'],
  lang: Language,
  { name, email, token, sections, messages, chats }: Digest,
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
      ...sections.flatMap((section) => describeSection(section, lang)),
    ],
    button: {
      label: t.button,
      link: `${origin}${sections.some(({ entries }) => entries.some(isNoChat)) ? '/notifications' : '/chats/unread'}`,
    },
    closing: [t.why, t.end(unsubscribe)],
  })
  return { ...mail, unsubscribe }
}
