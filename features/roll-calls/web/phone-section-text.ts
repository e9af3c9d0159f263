import { defineTexts } from '#web/i18n.ts'

export const phoneSectionText = defineTexts({
  en: { title: 'Telephone number', help: 'For emergencies. You decide who sees it.' },
  ja: { title: '電話番号', help: 'もしものときのために登録できます。だれに見せるかを選べます。' },
})
