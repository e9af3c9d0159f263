import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of the dialog that deletes a post. They are not in text.ts, because the code of the dialog is
 * loaded only when the dialog opens.
 */
export const deletePostDialogText = defineTexts({
  en: {
    deletePost: 'Delete post',
    deleteAsk: 'Delete this post?',
    deleteAskOf: (name: string) => `Delete this post by ${name}?`,
    deleteHelp: 'It is deleted for everyone, with its pictures, likes and replies.',
  },
  ja: {
    deletePost: '投稿を削除',
    deleteAsk: 'この投稿を削除しますか？',
    deleteAskOf: (name: string) => `${name}さんの投稿を削除しますか？`,
    deleteHelp: '画像、「いいね」、返信も削除されます。元には戻せません。',
  },
})
