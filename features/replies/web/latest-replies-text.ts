import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of the newest replies in lists of posts. They are not in text.ts, because lists of posts do not
 * need the other texts of replies.
 */
export const latestRepliesText = defineTexts({
  en: {
    label: 'Newest replies',
    viewAll: (n: number) => `View all ${n} replies`,
    replyBy: (name: string) => `Reply by ${name}, `,
    pictures: (n: number) => (n === 1 ? '1 picture' : `${n} pictures`),
  },
  ja: {
    label: '新しい返信',
    viewAll: (n: number) => `${n}件の返信をすべて見る`,
    replyBy: (name: string) => `${name}さんの返信、`,
    pictures: (n: number) => `画像${n}枚`,
  },
})
