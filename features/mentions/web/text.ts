import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const mentionText = defineTexts({
  en: {
    people: 'People to mention',
    count: (n: number) => `${n} suggestion${pluralSuffix(n)}`,
    none: 'No members found',
  },
  ja: {
    people: 'メンションする人',
    count: (n: number) => `候補は${n}人です`,
    none: '該当するメンバーはいません',
  },
})
