import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

/** Not in text.ts, because the home page loads that and does not need these. */
export const blockText = defineTexts({
  en: {
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
    report: '問題を報告…',
    block: 'ブロック…',
    blockTitle: (name: string) => `${san(name)}をブロックしますか？`,
    blockHelp:
      'お互いの投稿、プロフィール、チャットが見えなくなり、フォローも外れます。同じグループでは、相手のメッセージが隠れます。相手には知らされません。あとで「アカウント」ページから解除できます。',
    blockConfirm: 'ブロックする',
    mute: 'ミュート…',
    muteTitle: (name: string) => `${san(name)}をミュートしますか？`,
    muteHelp:
      'この人の投稿が一覧に出なくなり、グループのメッセージは折りたたまれ、未読の数にも入りません。個別チャットは、これまでどおりできます。相手にはわかりません。あとで「アカウント」ページから解除できます。',
    muteConfirm: 'ミュートする',
    unmute: 'ミュートを解除…',
    unmuteTitle: (name: string) => `${san(name)}のミュートを解除しますか？`,
    unmuteHelp: 'この人の投稿とメッセージが、また表示されます。',
    unmuteConfirm: '解除する',
  },
})
