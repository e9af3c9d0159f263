import { defineTexts } from '#web/i18n.ts'

export const blockedText = defineTexts({
  en: {
    title: 'Blocked people',
    help: 'You and these people do not see each other. To block somebody, open the menu on their page.',
    nobody: 'You have blocked nobody.',
    since: 'Blocked',
    unblock: 'Unblock',
    unblockPerson: (name: string) => `Unblock ${name}`,
    unblocked: (name: string) => `You and ${name} can see each other again.`,
    loadMore: 'Load more',
  },
  ja: {
    title: 'ブロックした人',
    help: 'あなたとこの人たちは、お互いが見えません。ブロックするには、相手のページのメニューを開いてください。',
    nobody: 'ブロックした人はいません。',
    since: 'ブロックした日時:',
    unblock: '解除',
    unblockPerson: (name: string) => `${name}さんのブロックを解除`,
    unblocked: (name: string) => `${name}さんとお互いに見えるようになりました。`,
    loadMore: 'さらに読み込む',
  },
})
