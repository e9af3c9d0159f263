import { defineTexts } from '#web/i18n.ts'
import { serverSentences } from '../server-sentence-contract.ts'

/**
 * Puts Unicode isolates around a name, so that the writing direction of the name does not change the text
 * around it (Unicode UAX #9).
 */
const isolate = (name: string) => `\u2068${name}\u2069`

export const notificationsPageText = defineTexts({
  en: {
    title: 'Notifications',
    settings: 'Settings',
    nothingYet: 'Nothing yet.',
    nothingYetHelp: 'Replies, mentions, likes, reactions, new followers and new chats appear here.',
    showMore: 'Show more',
    showNew: 'Show new notifications',
    isNew: 'New',
    /**
     * Returns the names of the people of a notification as one text. `others` is the number of people who are
     * not named.
     */
    people: (names: readonly string[], others: number) => {
      const all = [...names.map(isolate), ...(others ? [others === 1 ? '1 other' : `${others} others`] : [])]
      return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all.join()
    },
    like: ' liked your post',
    reaction: (emoji: string) => ` reacted${emoji && ` ${emoji}`} to your post`,
    reply_reaction: (emoji: string) => ` reacted${emoji && ` ${emoji}`} to your reply`,
    message_reaction: (emoji: string) => ` reacted${emoji && ` ${emoji}`} to your message`,
    reply: ' replied to your post',
    /** The sentence for a reply to another person’s post that answers the member. */
    answer: ' replied to you',
    quote: ' quoted your message',
    mention: ' mentioned you in a post',
    mention_in_reply: ' mentioned you in a reply',
    group_mention: ' mentioned you in a message',
    follow: ' followed you',
    group: ' added you to a group',
    first_message: ' began a chat with you',
    announcement: '’s post was pinned for everyone',
    announcement_of_own_post: ' pinned your post for everyone',
    ...serverSentences.en,
  },
  ja: {
    title: 'お知らせ',
    settings: '設定',
    nothingYet: 'お知らせはまだありません。',
    nothingYetHelp:
      '返信やメンション、「いいね」、リアクション、フォロー、新しいチャットがあると、ここに表示されます。',
    showMore: 'もっと見る',
    showNew: '新しいお知らせを表示',
    isNew: '新着',
    people: (names: readonly string[], others: number) =>
      `${names.map((name) => `${isolate(name)}さん`).join('、')}${others ? `、ほか${others}人` : ''}`,
    like: 'があなたの投稿に「いいね」しました',
    reaction: (emoji: string) => `があなたの投稿に${emoji && `${emoji}で`}リアクションしました`,
    reply_reaction: (emoji: string) => `があなたの返信に${emoji && `${emoji}で`}リアクションしました`,
    message_reaction: (emoji: string) => `があなたのメッセージに${emoji && `${emoji}で`}リアクションしました`,
    reply: 'があなたの投稿に返信しました',
    answer: 'があなたに返信しました',
    quote: 'があなたのメッセージを引用しました',
    mention: 'が投稿であなたをメンションしました',
    mention_in_reply: 'が返信であなたをメンションしました',
    group_mention: 'がメッセージであなたをメンションしました',
    follow: 'があなたをフォローしました',
    group: 'があなたをグループに追加しました',
    first_message: 'があなたとのチャットを始めました',
    announcement: 'の投稿がみんなへのお知らせになりました',
    announcement_of_own_post: 'があなたの投稿をみんなへのお知らせにしました',
    ...serverSentences.ja,
  },
})
