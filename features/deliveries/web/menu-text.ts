import { defineTexts } from '#web/i18n.ts'

export const messageDeliveryMenuItemText = defineTexts({
  en: { item: 'How it reached you' },
  ja: { item: '通知の届きかた' },
})
