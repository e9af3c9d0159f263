import type { Page } from '#core/contract.ts'
import { people } from '#features/people/contract.ts'
import { posts } from '#features/posts/contract.ts'

/** Every page: its address, its view, its title, and the calls whose answers travel inside it. Both sides read this table. */
export const pages: readonly Page[] = [
  { path: '/', view: 'posts/PostListPage', title: { en: 'Post List', ja: '投稿一覧' }, first: [posts.list] },
  { path: '/postlist', view: 'posts/PostListPage', title: { en: 'Post List', ja: '投稿一覧' }, first: [posts.list] },
  { path: '/followingpostlist', view: 'posts/FollowingPostListPage', title: { en: '投稿一覧', ja: '投稿一覧' }, first: [posts.following] },
  { path: '/post', view: 'posts/NewPostPage', title: { en: 'New Post', ja: '新しい投稿' } },
  { path: '/register', view: 'people/RegisterPage', title: { en: 'Sign Up', ja: '登録' } },
  { path: '/login', view: 'people/LogInPage', title: { en: 'Log in', ja: 'ログイン' } },
  { path: '/logout', view: 'people/LogOutPage', title: { en: 'Log out', ja: 'ログアウト' } },
  {
    path: '/email/verify/:id/:hash',
    view: 'people/VerifyEmailPage',
    title: { en: 'Verify your email address', ja: 'メールアドレスの確認' },
  },
  { path: '/dashboard', view: 'people/VerifyEmailPage', title: { en: 'Verify your email address', ja: 'メールアドレスの確認' } },
  { path: '/edit', view: 'people/EditProfilePage', title: { en: 'Edit Profile', ja: 'プロフィール編集' }, first: [people.profile] },
  {
    path: '/follow',
    view: 'people/SearchUsersPage',
    title: { en: 'Search Users', ja: 'ユーザー検索' },
    first: [people.users, people.followings],
  },
]
