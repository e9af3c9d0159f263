import { defineTexts } from '#web/i18n.ts'

export const blockedMessageText = defineTexts({
  en: { blocked: 'Message of a person you blocked.', show: 'Show' },
  ja: { blocked: 'ブロックした人のメッセージです。', show: '表示' },
})
