import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of the dialog that edits a post and of the dialog that shows its versions. The code of each
 * dialog is loaded when the dialog opens.
 */
export const postEditText = defineTexts({
  en: {
    title: 'Edit post',
    label: 'Text of the post',
    help: 'Whoever can see the post can also read its earlier versions.',
    cancel: 'Cancel',
    save: 'Save',
    versions: 'Versions of this post',
    current: 'Now',
    noText: 'Without text',
    loadMore: 'Load more',
    close: 'Close',
  },
  ja: {
    title: '投稿を編集',
    label: '投稿の文章',
    help: 'この投稿を見られる人は、編集前の内容も読めます。',
    cancel: 'キャンセル',
    save: '保存',
    versions: '投稿の編集履歴',
    current: '現在',
    noText: '文章なし',
    loadMore: 'さらに読み込む',
    close: '閉じる',
  },
})
