import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of the dialog that pins a post for the community. They are not in text.ts, because the code of
 * the dialog is loaded only when the dialog opens.
 */
export const pinPostDialogText = defineTexts({
  en: {
    title: 'Pin this post for everyone?',
    pin: 'Pin',
    tellEveryone: 'Tell everyone',
    tellEveryoneHelp: 'Each member who sees the post gets one notification.',
  },
  ja: {
    title: 'この投稿をみんなの投稿にピン留めしますか？',
    pin: 'ピン留めする',
    tellEveryone: 'みんなにお知らせする',
    tellEveryoneHelp: '投稿を見られるメンバー全員に、お知らせが1回届きます。',
  },
})
