import type { Language } from '#core/contract.ts'
import type { Notification } from './contract.ts'
import {
  chooseNotificationSentenceNameAndEndingText,
  type NotificationSentenceName,
} from './sentence-contract.ts'
import { type ServerSentenceName, serverSentences } from './server-sentence-contract.ts'

/**
 * A function that returns the sentence for a notification. `emoji` are the emoji of reactions, separated by
 * spaces. It is an empty text for other kinds of notifications, and if the sentence must not show the emoji.
 */
type Sentence = (names: string, subject: string, emoji: string) => string
type Sentences = Record<Exclude<NotificationSentenceName, ServerSentenceName>, Sentence>

const reactedEn = (to: string) => (names: string, subject: string, emoji: string) =>
  `${names} reacted${emoji && ` ${emoji}`} to your ${to}${subject && `: ${subject}`}`
const reactedJa = (to: string) => (names: string, subject: string, emoji: string) =>
  `${names}があなたの${to}に${emoji && `${emoji}で`}リアクションしました${subject && `：${subject}`}`

const sentences: Record<Language, Sentences> = {
  en: {
    like: (names, post) => `${names} liked your post${post && `: ${post}`}`,
    reaction: reactedEn('post'),
    reply_reaction: reactedEn('reply'),
    message_reaction: reactedEn('message'),
    reply: (names, reply) => `${names} replied to your post${reply && `: ${reply}`}`,
    answer: (names, reply) => `${names} replied to you${reply && `: ${reply}`}`,
    quote: (names, group) => `${names} quoted you${group && `: ${group}`}`,
    mention: (names, post) => `${names} mentioned you in a post${post && `: ${post}`}`,
    mention_in_reply: (names, reply) => `${names} mentioned you in a reply${reply && `: ${reply}`}`,
    group_mention: (names, group) => `${names} mentioned you in a message${group && `: ${group}`}`,
    follow: (names) => `${names} followed you`,
    group: (names, group) => `${names} added you to a group${group && `: ${group}`}`,
    first_message: (names) => `${names} began a chat with you`,
    announcement: (names, post) => `A post by ${names} was pinned for everyone${post && `: ${post}`}`,
    announcement_of_own_post: (names, post) => `${names} pinned your post for everyone${post && `: ${post}`}`,
  },
  ja: {
    like: (names, post) => `${names}があなたの投稿に「いいね」しました${post && `：${post}`}`,
    reaction: reactedJa('投稿'),
    reply_reaction: reactedJa('返信'),
    message_reaction: reactedJa('メッセージ'),
    reply: (names, reply) => `${names}があなたの投稿に返信しました${reply && `：${reply}`}`,
    answer: (names, reply) => `${names}があなたに返信しました${reply && `：${reply}`}`,
    quote: (names, group) => `${names}があなたのメッセージを引用しました${group && `：${group}`}`,
    mention: (names, post) => `${names}が投稿であなたをメンションしました${post && `：${post}`}`,
    mention_in_reply: (names, reply) => `${names}が返信であなたをメンションしました${reply && `：${reply}`}`,
    group_mention: (names, group) =>
      `${names}がメッセージであなたをメンションしました${group && `：${group}`}`,
    follow: (names) => `${names}があなたをフォローしました`,
    group: (names, group) => `${names}があなたをグループに追加しました${group && `：${group}`}`,
    first_message: (names) => `${names}があなたとのチャットを始めました`,
    announcement: (names, post) => `${names}の投稿がみんなへのお知らせになりました${post && `：${post}`}`,
    announcement_of_own_post: (names, post) =>
      `${names}があなたの投稿をみんなへのお知らせにしました${post && `：${post}`}`,
  },
}

const isServerSentenceName = (name: NotificationSentenceName): name is ServerSentenceName =>
  name in serverSentences.en

/**
 * Returns one sentence that describes a notification, for push messages, digests and the export of the
 * member's data.
 */
export function describeNotification(notification: Notification, lang: Language) {
  const { people, people_count, emoji = [] } = notification
  const others = people_count - people.length
  const names =
    lang === 'ja'
      ? people.map(({ name }) => `${name}さん`).join('、') + (others ? `ほか${others}人` : '')
      : people.map(({ name }) => name).join(', ') + (others ? ` and ${others} more` : '')
  const { name, subject } = chooseNotificationSentenceNameAndEndingText(notification)
  if (isServerSentenceName(name)) return serverSentences[lang][name]
  return sentences[lang][name](names, subject, emoji.join(' '))
}
