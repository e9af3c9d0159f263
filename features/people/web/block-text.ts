import { defineTexts } from '#web/i18n.ts'

/**
 * The texts about blocks and mutes, and of the menu with these actions. They are not in text.ts, because the
 * home page loads text.ts, and does not need these texts.
 */
export const blockAndMuteText = defineTexts({
  en: {
    more: 'More',
    moreAbout: (name: string) => `More about ${name}`,
    report: 'Report…',
    block: 'Block…',
    blockTitle: (name: string) => `Block ${name}?`,
    blockHelp:
      'You will no longer see each other: posts, profiles, chats and lists. Neither of you follows the other anymore. In groups that you are both in, you see a note instead of their messages. They are not told. You can end the block on your account page.',
    blockConfirm: 'Block',
    mute: 'Mute…',
    muteTitle: (name: string) => `Mute ${name}?`,
    muteHelp:
      'Their posts leave your lists, their messages in groups are folded, and nothing of theirs counts as unread. You can still open their page and write to each other. They do not notice it. You can end the mute on your account page.',
    muteConfirm: 'Mute',
    unmute: 'Unmute…',
    unmuteTitle: (name: string) => `Unmute ${name}?`,
    unmuteHelp: 'You see their posts and messages again.',
    unmuteConfirm: 'Unmute',
  },
  ja: {
    more: 'その他',
    moreAbout: (name: string) => `${name}さんの操作`,
    report: '報告…',
    block: 'ブロック…',
    blockTitle: (name: string) => `${name}さんをブロックしますか？`,
    blockHelp:
      '投稿、プロフィール、チャット、一覧で、お互いが見えなくなります。お互いのフォローも解除されます。同じグループでは、相手のメッセージの代わりに短い案内が表示されます。相手には通知されません。ブロックはアカウントページで解除できます。',
    blockConfirm: 'ブロックする',
    mute: 'ミュート…',
    muteTitle: (name: string) => `${name}さんをミュートしますか？`,
    muteHelp:
      '一覧にこの人の投稿が出なくなり、グループのメッセージは折りたたまれ、未読の数にも入りません。相手のページを見たり、メッセージを送り合ったりすることはできます。相手には分かりません。ミュートはアカウントページで解除できます。',
    muteConfirm: 'ミュートする',
    unmute: 'ミュートを解除…',
    unmuteTitle: (name: string) => `${name}さんのミュートを解除しますか？`,
    unmuteHelp: 'この人の投稿とメッセージが、また表示されます。',
    unmuteConfirm: '解除する',
  },
})
