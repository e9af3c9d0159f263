import { defineTexts } from '#web/i18n.ts'

export const readingText = defineTexts({
  en: {
    label: 'Reading of the name (optional)',
    hint: 'How your name is read, in kana or Latin letters. People find and sort you by it.',
  },
  ja: {
    label: 'ふりがな（任意）',
    hint: '名前の下に表示され、検索や五十音順の並びにも使われます。',
  },
})
