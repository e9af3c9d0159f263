import { defineTexts } from '#web/i18n.ts'

export const registrationText = defineTexts({
  en: {
    closed: 'This community does not take new members at the moment.',
    closedHelp: 'If you have an account, you can log in.',
    logIn: 'Log in',
  },
  ja: {
    closed: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
    closedHelp: 'アカウントをお持ちの方は、ログインできます。',
    logIn: 'ログイン',
  },
})
