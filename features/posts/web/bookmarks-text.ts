import { defineTexts } from '#web/i18n.ts'

export const bookmarksText = defineTexts({
  en: {
    title: 'Bookmarks',
    subtitle: 'Only you see them',
    empty: 'No bookmarks yet',
    emptyHelp: 'Choose “Bookmark” in the menu of a post to find it here again.',
    allPosts: 'See all posts',
    loadMore: 'Load more',
    noMore: 'No more bookmarks',
  },
  ja: {
    title: 'ブックマーク',
    subtitle: 'あなただけに表示されます',
    empty: 'ブックマークはまだありません',
    emptyHelp: '投稿のメニューの「ブックマークする」を選ぶと、ここに表示されます。',
    allPosts: 'すべての投稿を見る',
    loadMore: 'さらに読み込む',
    noMore: 'ブックマークは以上です',
  },
})
