import type { PageDefinition } from '#core/contract.ts'

const allPosts = { view: 'posts/PostListPage', title: { en: 'Post List', ja: 'みんなの投稿' } } as const

export const pageDefinitions = [
  { ...allPosts, path: '/' },
  { ...allPosts, path: '/postlist' },
  {
    path: '/followingpostlist',
    view: 'posts/PostListPage',
    title: { en: '投稿一覧 (Posts from people you follow)', ja: '投稿一覧' },
  },
  { path: '/posts/:id', view: 'posts/PostPage', title: { en: 'Post', ja: '投稿' } },
  { path: '/people/:id', view: 'posts/ProfilePage', title: { en: 'Profile', ja: 'プロフィール' } },
  { path: '/bookmarks', view: 'posts/BookmarksPage', title: { en: 'Bookmarks', ja: 'ブックマーク' } },
  { path: '/post', view: 'posts/NewPostPage', title: { en: 'New Post', ja: '新しい投稿' } },
] as const satisfies readonly PageDefinition[]
