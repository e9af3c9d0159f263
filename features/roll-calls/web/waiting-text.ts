import { defineTexts } from '#web/i18n.ts'

export const waitingText = defineTexts({
  en: { waits: 'Roll call: please answer', drill: 'Drill: please answer the roll call', answer: 'Answer' },
  ja: {
    waits: '安否確認に回答してください',
    drill: '【訓練】安否確認に回答してください',
    answer: '回答する',
  },
})
