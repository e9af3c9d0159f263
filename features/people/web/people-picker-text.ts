import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const pickerText = defineTexts({
  en: {
    search: 'Search by name',
    found: (n: number, more: boolean) => (n === 1 ? '1 person found' : `${n}${more ? '+' : ''} people found`),
    choose: (name: string) => `Choose ${name}`,
    chosen: (name: string) => `${name} is chosen.`,
    remove: (name: string) => `Remove ${name}`,
  },
  ja: {
    search: '名前で検索',
    found: (n: number, more: boolean) => `${n}人${more ? '以上' : ''}見つかりました`,
    choose: (name: string) => `${san(name)}を選ぶ`,
    chosen: (name: string) => `${san(name)}を選びました。`,
    remove: (name: string) => `${san(name)}を外す`,
  },
})
