import { defineTexts } from '#web/i18n.ts'

export const groupMenuText = defineTexts({
  en: {
    showMembers: 'Members',
    addPeople: 'Add people',
    rename: 'Rename',
    description: 'Description',
    picture: 'Picture',
    handOver: 'Hand over',
    writers: 'Who may write',
    slowMode: 'Slow mode',
    end: 'End group',
    reopen: 'Open group again',
    leave: 'Leave group',
    deleteGroup: 'Delete group',
  },
  ja: {
    showMembers: 'メンバー',
    addPeople: 'メンバーを追加',
    rename: '名前を変更',
    description: '説明を編集',
    picture: '画像を変更',
    handOver: 'まとめ役を交代…',
    writers: '送れる人を決める',
    slowMode: '連続送信の制限',
    end: 'グループを終了',
    reopen: 'グループを再開',
    leave: 'グループから退出',
    deleteGroup: 'グループを削除',
  },
})
