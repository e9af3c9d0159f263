import { addToPages, type PageExtras } from '#core/feature/pages.ts'
import { definePreloadImage } from '#core/media/preload.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { bookmarkEndpoints, type Post, pinEndpoints, postEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'
import { preloadPicture } from './preload.ts'

/** Undefined if there are no posts, so that the next source is asked. */
const firstPictureOf = ([first]: readonly Post[]) => first && preloadPicture(first.images, { isUrgent: true })
const allPosts: PageExtras = {
  initialData: [postEndpoints.list, postEndpoints.firstSteps, pinEndpoints.list],
  // The pinned posts are shown above the others.
  preloadImage: [
    definePreloadImage(pinEndpoints.list, firstPictureOf),
    definePreloadImage(postEndpoints.list, firstPictureOf),
  ],
}

export const serverPages = addToPages(pageDefinitions, {
  '/': allPosts,
  '/postlist': { ...allPosts, canonical: '/' },
  '/followingpostlist': {
    initialData: [postEndpoints.following],
    preloadImage: [definePreloadImage(postEndpoints.following, firstPictureOf)],
  },
  '/posts/:id': {
    initialData: [postEndpoints.show],
    preloadImage: [definePreloadImage(postEndpoints.show, (post) => firstPictureOf([post]))],
    description: (post: Post) => post.body,
  },
  '/people/:id': { initialData: [postEndpoints.author, postEndpoints.byAuthor, peopleEndpoints.followings] },
  '/bookmarks': { initialData: [bookmarkEndpoints.list] },
  '/post': { appShortcutPosition: 10 },
})
