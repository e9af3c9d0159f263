import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the dialog in which a manager describes a group. */
export const groupDescriptionDialogText = defineTexts({
  en: {
    title: 'Description of the group',
    label: 'What is this group for?',
    hint: (max: number) => `All members of the group can read it. At most ${max} characters.`,
    save: 'Save',
    cancel: 'Cancel',
  },
  ja: {
    title: 'グループの説明',
    label: '何のためのグループですか？',
    hint: (max: number) => `グループのメンバー全員が読めます。${max}文字以内。`,
    save: '保存',
    cancel: 'キャンセル',
  },
})
