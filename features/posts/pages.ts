import type { PageDefinition } from '#core/contract.ts'
import { definePreloadImageSource } from '#core/preload-image-contract.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { bookmarkEndpoints } from './bookmark-contract.ts'
import { type Post, postEndpoints, toPreloadImageOfFirstPicture } from './contract.ts'
import { postPinEndpoints } from './pin-contract.ts'

/**
 * Returns the picture of the first post; undefined if there are no posts, so that the next source is asked.
 */
const firstPictureOf = ([first]: readonly Post[]) =>
  first && toPreloadImageOfFirstPicture(first.images, { isUrgent: true })
/** The page with everybody's posts, which has two paths. */
const allPostsPage = {
  view: 'posts/PostListPage',
  title: { en: 'Post List', ja: 'みんなの投稿' },
  initialData: [postEndpoints.list, postEndpoints.firstSteps, postPinEndpoints.list],
  // Asks the pinned posts first, because they are shown above the others.
  preloadImage: [
    definePreloadImageSource(postPinEndpoints.list, firstPictureOf),
    definePreloadImageSource(postEndpoints.list, firstPictureOf),
  ],
}

export const pageDefinitions: readonly PageDefinition[] = [
  { ...allPostsPage, path: '/' },
  { ...allPostsPage, path: '/postlist', canonical: '/' },
  {
    path: '/followingpostlist',
    view: 'posts/PostListPage',
    title: { en: '投稿一覧 (Posts from people you follow)', ja: '投稿一覧' },
    initialData: [postEndpoints.following],
    preloadImage: [definePreloadImageSource(postEndpoints.following, firstPictureOf)],
  },
  {
    path: '/posts/:id',
    view: 'posts/PostPage',
    title: { en: 'Post', ja: '投稿' },
    initialData: [postEndpoints.show],
    preloadImage: [definePreloadImageSource(postEndpoints.show, (post) => firstPictureOf([post]))],
    description: (post: Post) => post.body,
  },
  {
    path: '/people/:id',
    view: 'posts/ProfilePage',
    title: { en: 'Profile', ja: 'プロフィール' },
    initialData: [postEndpoints.author, postEndpoints.byAuthor, peopleEndpoints.followings],
  },
  {
    path: '/bookmarks',
    view: 'posts/BookmarksPage',
    title: { en: 'Bookmarks', ja: 'ブックマーク' },
    initialData: [bookmarkEndpoints.list],
  },
  {
    path: '/post',
    view: 'posts/NewPostPage',
    title: { en: 'New Post', ja: '新しい投稿' },
    appShortcutPosition: 10,
  },
]
