import type { Page } from '#core/contract.ts'
import { people } from '#features/people/contract.ts'
import { firstPicture, type Post, posts } from './contract.ts'

const pictureOfNewest = ([newest]: Post[]) => firstPicture(newest)

export const pages: readonly Page[] = [
  {
    path: '/',
    view: 'posts/PostListPage',
    title: { en: 'Post List', ja: 'みんなの投稿' },
    first: [posts.list, posts.firstSteps],
    picture: pictureOfNewest,
  },
  {
    path: '/postlist',
    canonical: '/',
    view: 'posts/PostListPage',
    title: { en: 'Post List', ja: 'みんなの投稿' },
    first: [posts.list, posts.firstSteps],
    picture: pictureOfNewest,
  },
  {
    path: '/followingpostlist',
    view: 'posts/PostListPage',
    title: { en: '投稿一覧 (Posts from people you follow)', ja: '投稿一覧' },
    first: [posts.following],
    picture: pictureOfNewest,
  },
  {
    path: '/posts/:id',
    view: 'posts/PostPage',
    title: { en: 'Post', ja: '投稿' },
    first: [posts.show],
    picture: firstPicture,
    about: (post: Post) => post.body,
  },
  {
    path: '/people/:id',
    view: 'posts/ProfilePage',
    title: { en: 'Profile', ja: 'プロフィール' },
    first: [posts.author, posts.byAuthor, people.followings],
  },
  { path: '/post', view: 'posts/NewPostPage', title: { en: 'New Post', ja: '新しい投稿' } },
]
