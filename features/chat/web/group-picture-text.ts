import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the dialog in which a manager changes the picture of a group. */
export const groupPictureDialogText = defineTexts({
  en: {
    title: (group: string) => `Picture of ${group}`,
    help: 'Only the members of the group and admins can see it.',
    choose: 'Choose a picture',
    remove: 'Remove picture',
    saved: 'The picture of the group was changed.',
    removed: 'The picture of the group was removed.',
    close: 'Close',
  },
  ja: {
    title: (group: string) => `「${group}」の画像`,
    help: '画像を見られるのは、グループのメンバーと管理者だけです。',
    choose: '画像を選ぶ',
    remove: '画像を削除',
    saved: 'グループの画像を変更しました。',
    removed: 'グループの画像を削除しました。',
    close: '閉じる',
  },
})
