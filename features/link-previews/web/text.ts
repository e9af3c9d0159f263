import { defineTexts } from '#web/i18n.ts'

export const previewText = defineTexts({
  en: {
    preview: 'Link preview:',
    remove: 'Remove the preview',
    removed: 'The preview was removed.',
    notRemoved: 'The preview was not removed. ',
  },
  ja: {
    preview: 'リンクのプレビュー：',
    remove: 'プレビューを削除する',
    removed: 'プレビューを削除しました。',
    notRemoved: 'プレビューを削除できませんでした。',
  },
})
