import { defineTexts } from '#web/i18n.ts'

export const newChatText = defineTexts({
  en: {
    help: 'Choose a person. If you do not follow them yet, you will.',
    groupmates: 'In your groups',
    others: 'Other members',
    everyone: 'Members',
    nobody: 'Nobody else is here yet.',
  },
  ja: {
    help: '相手を選んでください。まだフォローしていない人は、いっしょにフォローします。',
    groupmates: '同じグループの人',
    others: 'ほかのメンバー',
    everyone: 'メンバー',
    nobody: 'ほかのメンバーはまだいません。',
  },
})
