import { defineTexts } from '#web/i18n.ts'

export const tagsText = defineTexts({
  en: {
    empty: 'No posts with this tag',
    emptyHelp: 'Posts with a word such as #garden are listed under its tag.',
    allPosts: 'All posts',
    write: (tag: string) => `Write about ${tag}`,
  },
  ja: {
    empty: 'このタグの投稿はありません',
    emptyHelp: '投稿に「#庭」のように書くと、ここに一覧で表示されます。',
    allPosts: 'すべての投稿',
    write: (tag: string) => `${tag}の投稿を書く`,
  },
})
