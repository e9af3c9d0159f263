import { defineTexts } from '#web/i18n.ts'

export const phoneText = defineTexts({
  en: {
    number: 'Number',
    shownTo: 'Who sees it',
    everyone: 'All members',
    owners: 'Admins, and owners of my groups',
    nobody: 'Nobody',
    save: 'Save',
    saved: 'Saved.',
  },
  ja: {
    number: '電話番号',
    shownTo: '見せる相手',
    everyone: 'すべてのメンバー',
    owners: '管理者と、グループのまとめ役',
    nobody: 'だれにも見せない',
    save: '保存',
    saved: '保存しました。',
  },
})
