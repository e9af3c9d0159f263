import type { Language } from '#core/contract.ts'
import { honorific } from '#core/text/honorific.ts'
import { shorten } from '#core/text/shorten.ts'
import type { Notification } from './contract.ts'
import { chooseSentence, type SentenceName, shownWith } from './sentence-contract.ts'
import { type ServerSentence, serverSentences } from './server-sentence-contract.ts'
import { taskSentence } from './task-contract.ts'

/** `more`: emoji, separated by spaces, or a number; empty if the sentence shows none. */
type Sentence = (names: string, subject: string, more: string) => string
type Sentences = Record<Exclude<SentenceName, ServerSentence>, Sentence>

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
    quote: (names, group) => `${names} replied to your message${group && `: ${group}`}`,
    mention: (names, post) => `${names} mentioned you in a post${post && `: ${post}`}`,
    mention_in_reply: (names, reply) => `${names} mentioned you in a reply${reply && `: ${reply}`}`,
    group_mention: (names, group) => `${names} mentioned you in a message${group && `: ${group}`}`,
    follow: (names) => `${names} followed you`,
    group: (names, group) => `${names} added you to a group${group && `: ${group}`}`,
    first_message: (names) => `${names} began a chat with you`,
    new_member: (names) => `${names} joined`,
    new_post: (names, post) => `${names} wrote a new post${post && `: ${post}`}`,
    new_posts: (names, post, count) => `${names} wrote ${count} new posts${post && `, the newest: ${post}`}`,
    contact_allowed: (names) => `Your guardian said yes: you can be in touch with ${names} now`,
    announcement: (names, post) => `Announcement by ${names}${post && `: ${post}`}`,
    read_reminder: (names, post) => `${names} asks whether you have read this${post && `: ${post}`}`,
    urgent_reminder: (names, post) =>
      `Urgent: ${names} asks whether you have read this${post && `: ${post}`}`,
    poll_reminder: (names, post) => `${names} waits for your answer${post && `: ${post}`}`,
    group_poll_reminder: (names, group) => `${names} waits for your answer${group && `: ${group}`}`,
    event_reminder: (names, post) => `${names} asks whether you are coming${post && `: ${post}`}`,
    event_soon: (names, post) => `Your event is soon${post ? `: ${post}` : ` (${names})`}`,
    event_changed: (names, post) => `Your event has changed${post ? `: ${post}` : ` (${names})`}`,
    event_cancelled: (names, post) => `${names} cancelled your event${post && `: ${post}`}`,
    event_place: (names, post) => `There is a place for you now${post ? `: ${post}` : ` (${names})`}`,
    event_offer: (names, post) => `A place is free. Would you like it${post ? `: ${post}` : ` (${names})`}?`,
    announcement_of_own_post: (names, post) => `${names} pinned your post for everyone${post && `: ${post}`}`,
  },
  ja: {
    like: (names, post) => `${names}があなたの投稿に「いいね」しました${post && `：${post}`}`,
    reaction: reactedJa('投稿'),
    reply_reaction: reactedJa('返信'),
    message_reaction: reactedJa('メッセージ'),
    reply: (names, reply) => `${names}があなたの投稿に返信しました${reply && `：${reply}`}`,
    answer: (names, reply) => `${names}があなたに返信しました${reply && `：${reply}`}`,
    quote: (names, group) => `${names}があなたのメッセージに返信しました${group && `：${group}`}`,
    mention: (names, post) => `${names}が投稿であなたをメンションしました${post && `：${post}`}`,
    mention_in_reply: (names, reply) => `${names}が返信であなたをメンションしました${reply && `：${reply}`}`,
    group_mention: (names, group) =>
      `${names}がメッセージであなたをメンションしました${group && `：${group}`}`,
    follow: (names) => `${names}があなたをフォローしました`,
    group: (names, group) => `${names}があなたをグループに追加しました${group && `：${group}`}`,
    first_message: (names) => `${names}があなたとのチャットを始めました`,
    new_member: (names) => `${names}が参加しました`,
    new_post: (names, post) => `${names}の新しい投稿です${post && `：${post}`}`,
    new_posts: (names, post, count) => `${names}の新しい投稿が${count}件あります${post && `：${post}`}`,
    contact_allowed: (names) => `${names}とのやり取りを、保護者が承認しました`,
    announcement: (names, post) => `${names}から、みんなへのお知らせです${post && `：${post}`}`,
    read_reminder: (names, post) => `${names}から、確認のお願いです${post && `：${post}`}`,
    urgent_reminder: (names, post) => `【至急】${names}から、確認のお願いです${post && `：${post}`}`,
    poll_reminder: (names, post) => `${names}が、あなたの回答を待っています${post && `：${post}`}`,
    group_poll_reminder: (names, group) => `${names}が、あなたの回答を待っています${group && `：${group}`}`,
    event_reminder: (names, post) => `${names}が、出欠の回答を待っています${post && `：${post}`}`,
    event_soon: (names, post) => `予定がもうすぐです${post ? `：${post}` : `（${names}）`}`,
    event_changed: (names, post) => `予定に変更がありました${post ? `：${post}` : `（${names}）`}`,
    event_cancelled: (names, post) => `${names}の予定が中止になりました${post && `：${post}`}`,
    event_place: (names, post) =>
      `空きが出て、参加できるようになりました${post ? `：${post}` : `（${names}）`}`,
    event_offer: (names, post) => `空きが出ました。参加しますか？${post ? `（${post}）` : `（${names}）`}`,
    announcement_of_own_post: (names, post) =>
      `${names}があなたの投稿を、みんなにお知らせしました${post && `：${post}`}`,
  },
}

const isServerSentenceName = (name: SentenceName): name is ServerSentence => name in serverSentences.en

/** What follows the names is why the sentence is read, and a device shows few lines. */
const inSentence = (name: string) => shorten(name, 40)

/** For push messages, digests and the export. */
export function describeNotification(notification: Notification, lang: Language) {
  const task = taskSentence(notification, lang)
  if (task) return task
  const { people, people_count } = notification
  const others = people_count - people.length
  const names =
    lang === 'ja'
      ? people.map(({ name }) => inSentence(name) + honorific(name)).join('、') +
        (others ? `ほか${others}人` : '')
      : people.map(({ name }) => inSentence(name)).join(', ') + (others ? ` and ${others} more` : '')
  const { name, subject } = chooseSentence(notification)
  if (isServerSentenceName(name)) return serverSentences[lang][name]
  return sentences[lang][name](names, subject, shownWith(notification))
}
