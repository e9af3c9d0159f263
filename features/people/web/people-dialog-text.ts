import { defineTexts } from '#web/i18n.ts'

const s = (n: number) => (n === 1 ? '' : 's')

export const peopleDialogText = defineTexts({
  en: {
    titles: {
      likes: (n: number) => `${n} like${s(n)}`,
      followers: (n: number) => `${n} follower${s(n)}`,
      following: (n: number) => `${n} following`,
    },
    nobodyYet: 'Nobody yet.',
  },
  ja: {
    titles: {
      likes: (n: number) => `いいね${n}件`,
      followers: (n: number) => `フォロワー${n}人`,
      following: (n: number) => `フォロー中${n}人`,
    },
    nobodyYet: 'まだ誰もいません。',
  },
})
