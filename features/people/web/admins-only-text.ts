import { defineTexts } from '#web/i18n.ts'

export const adminsOnlyText = defineTexts({
  en: {
    adminsOnly: 'Only admins can see this page.',
    adminsOnlyHelp: 'If you need access, ask an admin to make you one too.',
    home: 'Back to Home',
    dashboard: 'Admin Dashboard',
  },
  ja: {
    adminsOnly: 'このページは管理者のみ閲覧できます。',
    adminsOnlyHelp: '必要な場合は、管理者に権限の追加を依頼してください。',
    home: 'ホームへ戻る',
    dashboard: '管理画面',
  },
})
