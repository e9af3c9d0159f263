import { defineTexts } from '#web/i18n.ts'

/** The texts of blocks. They are not in text.ts, because the home page loads it and does not need them. */
export const blockText = defineTexts({
  en: {
    more: 'More',
    moreAbout: (name: string) => `More about ${name}`,
    block: 'Block…',
    blockTitle: (name: string) => `Block ${name}?`,
    blockHelp:
      'You will no longer see each other: posts, profiles, chats and lists. Neither of you follows the other anymore. In groups that you are both in, you see a note instead of their messages. They are not told. You can end the block on your account page.',
    blockConfirm: 'Block',
  },
  ja: {
    more: 'その他',
    moreAbout: (name: string) => `${name}さんの操作`,
    block: 'ブロック…',
    blockTitle: (name: string) => `${name}さんをブロックしますか？`,
    blockHelp:
      '投稿、プロフィール、チャット、一覧で、お互いが見えなくなります。お互いのフォローも解除されます。同じグループでは、相手のメッセージの代わりに短い案内が表示されます。相手には通知されません。ブロックはアカウントページで解除できます。',
    blockConfirm: 'ブロックする',
  },
})
