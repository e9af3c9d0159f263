import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

/** Not in text.ts, because lists of posts do not need its other texts. */
export const latestText = defineTexts({
  en: {
    label: 'Newest replies',
    viewAll: 'View all replies',
    replyBy: (name: string) => `Reply by ${name}, `,
    pictures: (n: number) => (n === 1 ? '1 picture' : `${n} pictures`),
    files: (n: number) => (n === 1 ? '1 file' : `${n} files`),
  },
  ja: {
    label: '新しい返信',
    viewAll: '返信をすべて見る',
    replyBy: (name: string) => `${san(name)}の返信、`,
    pictures: (n: number) => `画像${n}枚`,
    files: (n: number) => `ファイル${n}個`,
  },
})
