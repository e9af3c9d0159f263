import type { Language } from '#core/contract.ts'
import type { Notification, NotificationKind } from './contract.ts'

type Sentence = (names: string, subject: string) => string
/**
 * `answer` is for replies to another person's post that answer the member, `mention_in_reply` for replies that
 * mention the member.
 */
type Sentences = Record<NotificationKind | 'answer' | 'mention_in_reply', Sentence>

const sentences: Record<Language, Sentences> = {
  en: {
    like: (names, post) => `${names} liked your post${post && `: ${post}`}`,
    reply: (names, reply) => `${names} replied to your post${reply && `: ${reply}`}`,
    answer: (names, reply) => `${names} replied to you${reply && `: ${reply}`}`,
    quote: (names, group) => `${names} quoted you${group && `: ${group}`}`,
    mention: (names, post) => `${names} mentioned you in a post${post && `: ${post}`}`,
    mention_in_reply: (names, reply) => `${names} mentioned you in a reply${reply && `: ${reply}`}`,
    group_mention: (names, group) => `${names} mentioned you in a message${group && `: ${group}`}`,
    follow: (names) => `${names} followed you`,
    group: (names, group) => `${names} added you to a group${group && `: ${group}`}`,
    first_message: (names) => `${names} began a chat with you`,
  },
  ja: {
    like: (names, post) => `${names}があなたの投稿に「いいね」しました${post && `：${post}`}`,
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
  },
}

/**
 * Returns a notification as one sentence, for push messages, digests and the archive of the member's data.
 */
export function describeNotification(
  { kind, people, people_count, post, reply, group }: Notification,
  lang: Language,
) {
  const others = people_count - people.length
  const names =
    lang === 'ja'
      ? people.map(({ name }) => `${name}さん`).join('、') + (others ? `ほか${others}人` : '')
      : people.map(({ name }) => name).join(', ') + (others ? ` and ${others} more` : '')
  const ofReply = kind === 'mention' ? 'mention_in_reply' : post?.is_own ? 'reply' : 'answer'
  const isAboutReply = kind === 'reply' || reply !== undefined
  const sentence = isAboutReply ? ofReply : kind
  const subject = isAboutReply ? reply?.body : (post?.body ?? group?.name)
  return sentences[lang][sentence](names, subject ?? '')
}
