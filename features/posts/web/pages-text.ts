import { san } from '#core/text/honorific.ts'
import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const postPageText = defineTexts({
  en: {
    title: 'Post',
    moreFrom: (name: string) => `More from ${name}`,
    postGone: 'This post is not available.',
    postGoneHelp: 'It was deleted, the address is wrong, or it is not for you.',
  },
  ja: {
    title: '投稿',
    moreFrom: (name: string) => `${san(name)}のほかの投稿`,
    postGone: 'この投稿は見つかりません。',
    postGoneHelp: '削除されたか、アドレスが違うか、あなたには公開されていないのかもしれません。',
  },
})

/** Not in text.ts, which the home page loads. */
export const profileText = defineTexts({
  en: {
    profile: 'Profile',
    editProfile: 'Edit profile',
    sendMessage: 'Message',
    countPosts: (n: number) => ['', ` post${pluralSuffix(n)}`] as const,
    countFollowing: (_: number) => ['', ' following'] as const,
    countFollowers: (n: number) => ['', ` follower${pluralSuffix(n)}`] as const,
    followsYou: 'Follows you',
    noPostsOwn: 'You have not posted yet.',
    noPostsOf: (name: string) => `${name} has no posts to show.`,
  },
  ja: {
    profile: 'プロフィール',
    editProfile: 'プロフィール編集',
    sendMessage: 'メッセージ',
    countPosts: (_: number) => ['投稿', '件'] as const,
    countFollowing: (_: number) => ['フォロー中', '人'] as const,
    countFollowers: (_: number) => ['フォロワー', '人'] as const,
    followsYou: 'フォローされています',
    noPostsOwn: 'まだ投稿がありません。',
    noPostsOf: (name: string) => `見られる${san(name)}の投稿は、まだありません。`,
  },
})

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
    loadMore: 'もっと見る',
    noMore: 'ブックマークは以上です',
  },
})
