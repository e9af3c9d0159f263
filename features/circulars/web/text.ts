import { defineTexts } from '#web/i18n.ts'

export const circularsText = defineTexts({
  en: {
    title: 'Circulars',
    subtitle: 'Posts with files',
    empty: 'No circulars yet',
    emptyHelp: 'A post with a PDF or another file is listed here.',
    write: 'Write a post with a file',
    allPosts: 'All posts',
  },
  ja: {
    title: '回覧板',
    subtitle: 'ファイルの付いた投稿',
    empty: '回覧板はまだありません',
    emptyHelp: 'PDFなどのファイルを付けた投稿が、ここに並びます。',
    write: 'ファイルを付けて投稿する',
    allPosts: 'すべての投稿',
  },
})
