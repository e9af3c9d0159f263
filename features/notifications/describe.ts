import type { Language } from '#core/contract.ts'
import type { Notification, NotificationKind } from './contract.ts'

type Sentences = Record<NotificationKind, (names: string, subject: string) => string>

const sentences: Record<Language, Sentences> = {
  en: {
    like: (names, post) => `${names} liked your post${post && `: ${post}`}`,
    follow: (names) => `${names} followed you`,
    group: (names, group) => `${names} added you to a group${group && `: ${group}`}`,
    first_message: (names) => `${names} began a chat with you`,
  },
  ja: {
    like: (names, post) => `${names}があなたの投稿に「いいね」しました${post && `：${post}`}`,
    follow: (names) => `${names}があなたをフォローしました`,
    group: (names, group) => `${names}があなたをグループに追加しました${group && `：${group}`}`,
    first_message: (names) => `${names}があなたとのチャットを始めました`,
  },
}

/** Returns a notification as one sentence, for the archive of the member's data and for push messages. */
export function describeNotification(
  { kind, people, people_count, post, group }: Notification,
  lang: Language,
) {
  const others = people_count - people.length
  const names =
    lang === 'ja'
      ? people.map(({ name }) => `${name}さん`).join('、') + (others ? `ほか${others}人` : '')
      : people.map(({ name }) => name).join(', ') + (others ? ` and ${others} more` : '')
  return sentences[lang][kind](names, post?.body ?? group?.name ?? '')
}
