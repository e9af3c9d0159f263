import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the menu of a group. */
export const groupMenuText = defineTexts({
  en: {
    more: 'More',
    showMembers: 'Members',
    addPeople: 'Add people',
    rename: 'Rename',
    description: 'Description',
    picture: 'Picture',
    handOver: 'Hand over',
    slowMode: 'Slow mode',
    leave: 'Leave group',
    deleteGroup: 'Delete group',
  },
  ja: {
    more: 'その他',
    showMembers: 'メンバー',
    addPeople: 'メンバーを追加',
    rename: '名前を変更',
    description: '説明を編集',
    picture: '画像を変更',
    handOver: '管理を引き継ぐ',
    slowMode: '低速モード',
    leave: 'グループを退出',
    deleteGroup: 'グループを削除',
  },
})
