import { defineTexts } from '#web/i18n.ts'

export const blockedPeopleText = defineTexts({
  en: {
    title: 'Blocked people',
    help: 'You and these people do not see each other. To block somebody, open the menu on their page.',
    nobody: 'You have blocked nobody.',
    since: 'Blocked',
    remove: 'Unblock',
    removePerson: (name: string) => `Unblock ${name}`,
    removed: (name: string) => `You and ${name} can see each other again.`,
    loadMore: 'Load more',
  },
  ja: {
    title: 'ブロックした人',
    help: 'あなたとこの人たちは、お互いが見えません。ブロックするには、相手のページのメニューを開いてください。',
    nobody: 'ブロックした人はいません。',
    since: 'ブロックした日時：',
    remove: '解除',
    removePerson: (name: string) => `${name}さんのブロックを解除`,
    removed: (name: string) => `${name}さんとお互いに見えるようになりました。`,
    loadMore: 'さらに読み込む',
  },
})

export const mutedPeopleText = defineTexts({
  en: {
    title: 'Muted people',
    help: 'You see less of these people, and they do not notice it. To mute somebody, open the menu on their page.',
    nobody: 'You have muted nobody.',
    since: 'Muted',
    remove: 'Unmute',
    removePerson: (name: string) => `Unmute ${name}`,
    removed: (name: string) => `You see what ${name} writes again.`,
    loadMore: 'Load more',
  },
  ja: {
    title: 'ミュートした人',
    help: 'この人たちの投稿とメッセージが目立たなくなります。相手には分かりません。ミュートするには、相手のページのメニューを開いてください。',
    nobody: 'ミュートした人はいません。',
    since: 'ミュートした日時：',
    remove: '解除',
    removePerson: (name: string) => `${name}さんのミュートを解除`,
    removed: (name: string) => `${name}さんの投稿とメッセージが、また表示されます。`,
    loadMore: 'さらに読み込む',
  },
})
