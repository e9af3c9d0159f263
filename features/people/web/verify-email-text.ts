import { defineTexts } from '#web/i18n.ts'

export const verifyText = defineTexts({
  en: {
    linkSent: ['We sent a link to ', '. Open it to verify your address.'],
    sendAgain: 'Send again',
  },
  ja: {
    linkSent: ['', 'に確認メールを送りました。メール内のリンクを開くと確認が完了します。'],
    sendAgain: '確認メールを再送',
  },
})
