import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the bar and of the dialog with the pinned messages of a group. */
export const pinnedMessagesText = defineTexts({
  en: {
    title: 'Pinned messages',
    all: (n: number) => (n === 1 ? 'Show' : `All ${n}`),
    showAll: (n: number) => (n === 1 ? 'Show the pinned message' : `Show all ${n} pinned messages`),
    goTo: (name: string, text: string) => `Pinned message of ${name}: ${text}. Go to the message`,
    show: 'Show in chat',
    showWhich: (text: string) => `Show “${text}” in the chat`,
    unpin: (text: string) => `Unpin “${text}”`,
    unpinned: 'The message is no longer pinned.',
    pinnedBy: (name: string, time: string) => `Pinned by ${name}, ${time}`,
    pinnedAt: (time: string) => `Pinned ${time}`,
    close: 'Close',
  },
  ja: {
    title: 'ピン留めされたメッセージ',
    all: (n: number) => (n === 1 ? '表示' : `全${n}件`),
    showAll: (n: number) => (n === 1 ? 'ピン留めを表示' : `全${n}件のピン留めを表示`),
    goTo: (name: string, text: string) => `${name}さんのピン留めメッセージ：${text}。元のメッセージへ`,
    show: 'チャットで見る',
    showWhich: (text: string) => `「${text}」をチャットで見る`,
    unpin: (text: string) => `「${text}」のピン留めを外す`,
    unpinned: 'ピン留めを外しました。',
    pinnedBy: (name: string, time: string) => `${name}さんがピン留め・${time}`,
    pinnedAt: (time: string) => `${time}にピン留め`,
    close: '閉じる',
  },
})
