import { defineTexts } from '#web/i18n.ts'

export const adminsOnlyText = defineTexts({
  en: {
    adminsOnly: 'Only admins can see this page.',
    adminsOnlyHelp: 'If you need access, ask an admin to make you one too.',
    secondStepNeeded: 'Please set up a second step first.',
    secondStepNeededHelp:
      'The admins and moderators of this community need a second step for the log-in. You have your rights again as soon as it is set up, or when you log in with a passkey.',
    toAccount: 'To my account',
    home: 'Back to Home',
    dashboard: 'Admin Dashboard',
  },
  ja: {
    adminsOnly: 'このページを見られるのは、管理者だけです。',
    adminsOnlyHelp: '必要なときは、管理者に相談してください。',
    secondStepNeeded: '先に2段階認証を設定してください。',
    secondStepNeededHelp:
      'このコミュニティーの管理者とモデレーターには、ログインの2段階認証が必要です。設定するか、パスキーでログインすると、権限が戻ります。',
    toAccount: '「アカウント」ページへ',
    home: 'ホームへ戻る',
    dashboard: '管理画面',
  },
})
