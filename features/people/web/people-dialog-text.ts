import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const peopleListDialogText = defineTexts({
  en: {
    titles: {
      likes: (n: number) => `${n} like${pluralSuffix(n)}`,
      followers: (n: number) => `${n} follower${pluralSuffix(n)}`,
      following: (n: number) => `${n} following`,
      invited: (n: number) => `${n} joined with it`,
    },
    nobodyYet: 'Nobody yet.',
  },
  ja: {
    titles: {
      likes: (n: number) => `いいね${n}件`,
      followers: (n: number) => `フォロワー${n}人`,
      following: (n: number) => `フォロー中${n}人`,
      invited: (n: number) => `この招待で参加した${n}人`,
    },
    nobodyYet: 'まだ誰もいません。',
  },
})
