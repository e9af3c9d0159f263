import { replaceEqualDeep } from '@tanstack/react-query'
import { fillPathParameters } from '#core/contract.ts'
import type { FetchedListPage } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import { type Post, postEndpoints } from '../contract.ts'

/**
 * The API paths of the list of all posts, of the list of posts of followed people, and of the list of one
 * author's posts.
 */
export const allPostsApiPath = postEndpoints.list.path
export const postsByFollowedPeopleApiPath = postEndpoints.following.path
export const toAuthorPostsApiPath = (id: number) => fillPathParameters(postEndpoints.byAuthor.path, { id })

/**
 * The state of one list of posts in the browser. `shown` has the ids of the posts that the list shows, newest
 * first.
 */
export interface PostListState {
  shown: readonly number[]
  /** The ids of newer posts that the list does not show yet. The reader shows them with a button. */
  waiting: readonly number[]
  /** The URL of the page that follows the posts in `shown`; null at the end of the list. */
  nextUrl: string | null
  /**
   * The URL of the page that follows the posts in `waiting`, if posts between `waiting` and `shown` are not
   * loaded; otherwise null.
   */
  gapUrl: string | null
  /**
   * The highest post id on all first pages of the list so far. If all ids of a later first page are higher,
   * posts between the two pages are not loaded.
   */
  newestFetched: number
  /**
   * The value of `State.epoch` when the first page of the list was last requested; -1 if the list must be
   * fetched again.
   */
  epoch: number
}

interface State {
  /** All loaded posts, by id. The value is null if the post was deleted or the reader may not see it. */
  posts: ReadonlyMap<number, Post | null>
  /** The value of `epoch` when each post was last requested, by the id of the post. */
  postEpochs: ReadonlyMap<number, number>
  /** The loaded lists of posts, by API path. */
  lists: ReadonlyMap<string, PostListState>
  /**
   * The number of times that the subscription to live events has succeeded: once at first, and again after
   * each outage. Posts that were requested in an earlier epoch may have missed events.
   */
  epoch: number
}

export const postStore = createStore<State>({
  posts: new Map(),
  postEpochs: new Map(),
  lists: new Map(),
  epoch: 0,
})

/**
 * The likes (true) and unlikes (false) that are being sent to the server, by the id of the post. Responses
 * and events that arrive meanwhile do not overwrite them in the post store.
 */
export const pendingLikesAndUnlikesByPostId = new Map<number, boolean>()

const liveChanges = createLiveChanges()
/**
 * Must run each request for posts, together with the function that stores the response, so that the response
 * does not undo changes that arrive meanwhile.
 */
export const loadPosts = liveChanges.load

const newestFirst = (...ids: readonly number[]) => [...new Set(ids)].sort((a, b) => b - a)
const idsOf = (rows: readonly Post[]) => rows.map(({ id }) => id)

function changeList(path: string, change: (list: PostListState) => PostListState) {
  const { lists } = postStore.get()
  const list = lists.get(path)
  if (list) postStore.patch({ lists: new Map(lists).set(path, change(list)) })
}

/**
 * Marks all loaded posts as outdated, because they may have missed events. Called each time the subscription
 * to live events has succeeded.
 */
export const markAllLoadedPostsOutdated = () => postStore.patch({ epoch: postStore.get().epoch + 1 })

/**
 * Marks a list of posts so that it is fetched again, because an event did not contain everything that the
 * list shows.
 */
export const invalidatePostList = (path: string) => changeList(path, (list) => ({ ...list, epoch: -1 }))

/**
 * Puts posts from the server into the post store. `epoch` is the value of `State.epoch` at the time of the
 * request. A post that has not changed stays the same object. A post whose like is being sent is not
 * replaced.
 */
export function storeFetchedPosts(rows: readonly Post[], epoch = postStore.get().epoch) {
  const postsById = new Map(postStore.get().posts)
  const postEpochs = new Map(postStore.get().postEpochs)
  for (const row of rows) {
    postEpochs.set(row.id, epoch)
    const post = postsById.get(row.id)
    if (!post || !pendingLikesAndUnlikesByPostId.has(row.id))
      postsById.set(row.id, replaceEqualDeep(post, row))
  }
  postStore.patch({ posts: postsById, postEpochs })
}

/**
 * Puts the first page of a list into the post store. If the list is loaded already, the new posts of the page
 * are not shown until the reader asks for them.
 */
export function mergeFirstPageOfPostList(
  path: string,
  { rows, next }: FetchedListPage<readonly Post[]>,
  epoch = postStore.get().epoch,
) {
  storeFetchedPosts(rows, epoch)
  const ids = idsOf(rows)
  const { lists } = postStore.get()
  const list = lists.get(path)
  const changed = list ? withFirstPage(list, ids, next) : toNewList(ids, next)
  postStore.patch({ lists: new Map(lists).set(path, { ...changed, epoch }) })
}

const toNewList = (ids: readonly number[], next: string | null) => ({
  shown: ids,
  waiting: [],
  nextUrl: next,
  gapUrl: null,
  newestFetched: ids[0] ?? 0,
})

/**
 * Puts the first page of one list into the post store and drops all other lists, because what the reader may
 * see has changed. A dropped list is fetched again when it is shown.
 */
export function replaceAllPostListsWithOne(path: string, { rows, next }: FetchedListPage<readonly Post[]>) {
  storeFetchedPosts(rows)
  const { epoch } = postStore.get()
  postStore.patch({ lists: new Map([[path, { ...toNewList(idsOf(rows), next), epoch }]]) })
}

function withFirstPage(list: PostListState, ids: readonly number[], next: string | null) {
  const [newest = 0, oldest = 0] = [ids[0], ids.at(-1)]
  const hasGap = next !== null && oldest > list.newestFetched
  const oldestShown = list.shown.at(-1) ?? 0
  // Keeps the posts in `waiting` whose ids are outside of the range of this page. A waiting post in this
  // range that the page does not contain was deleted. If posts between the page and the list are not loaded,
  // also drops the waiting posts with lower ids.
  const waiting = list.waiting.filter((id) => id > newest || (id < oldest && !hasGap))
  const added = ids.filter((id) => id > oldestShown && !list.shown.includes(id))
  return {
    ...list,
    waiting: newestFirst(...waiting, ...added),
    gapUrl: hasGap ? next : list.gapUrl,
    newestFetched: Math.max(newest, list.newestFetched),
  }
}

/**
 * Adds the page at `url` to the list, below the posts that are shown. Ignores the page if `url` is no longer
 * the URL of the next page.
 */
export function storeNextPageOfPostList(
  path: string,
  url: string,
  { rows, next }: FetchedListPage<readonly Post[]>,
  epoch?: number,
) {
  storeFetchedPosts(rows, epoch)
  changeList(path, (list) =>
    list.nextUrl === url
      ? { ...list, shown: newestFirst(...list.shown, ...idsOf(rows)), nextUrl: next }
      : list,
  )
}

export const showNotYetShownPosts = (path: string) =>
  changeList(path, (list) => {
    const oldestWaiting = (list.gapUrl !== null && list.waiting.at(-1)) || 0
    const kept = list.shown.filter((id) => id > oldestWaiting)
    const shown = newestFirst(...list.waiting, ...kept)
    return { ...list, shown, waiting: [], nextUrl: list.gapUrl ?? list.nextUrl, gapUrl: null }
  })

/**
 * Functions that return the API paths of further lists that contain a post. Later features add their
 * functions, so that their lists get new posts.
 */
export const functionsFindingListApiPathsOfPost: ((post: Post) => readonly string[])[] = []

/**
 * Returns the API paths of the lists that contain a post, except the list of the posts of followed people.
 */
const pathsOf = (post: Post) => [
  allPostsApiPath,
  toAuthorPostsApiPath(post.user.id),
  ...functionsFindingListApiPathsOfPost.flatMap((find) => find(post)),
]

/**
 * Adds a new post to `waiting` of each loaded list that contains the post. The lists do not show it until the
 * reader asks for it.
 */
export const addNotYetShownPostToLists = (post: Post, isFollowed = false) =>
  liveChanges.apply(() => {
    // Does not replace a stored post by the post of the event, because only the stored one says whether the
    // reader likes the post.
    if (!postStore.get().posts.get(post.id)) storeFetchedPosts([post])
    for (const path of [...pathsOf(post), ...(isFollowed ? [postsByFollowedPeopleApiPath] : [])])
      changeList(path, (list) =>
        list.shown.includes(post.id) ? list : { ...list, waiting: newestFirst(post.id, ...list.waiting) },
      )
  })

/**
 * Adds a new post of the reader to the post store, and shows it at the top of its lists, together with all
 * waiting posts.
 */
export function addOwnNewPostToStore(post: Post) {
  storeFetchedPosts([post])
  addNotYetShownPostToLists(post)
  for (const path of pathsOf(post)) showNotYetShownPosts(path)
}

export const patchPostInStore = (id: number, patch: Partial<Post>) =>
  liveChanges.apply(() => {
    const postsById = postStore.get().posts
    const post = postsById.get(id)
    if (post) postStore.patch({ posts: new Map(postsById).set(id, { ...post, ...patch }) })
  })

/**
 * Removes a post that was deleted, or that the reader may not see, from every list, and stores null in
 * place of the post.
 */
export const removeDeletedPostFromStore = (id: number) =>
  liveChanges.apply(() => {
    const { posts: postsById, lists } = postStore.get()
    const without = (ids: readonly number[]) => ids.filter((one) => one !== id)
    const changed = [...lists].map(
      ([path, list]) =>
        [path, { ...list, shown: without(list.shown), waiting: without(list.waiting) }] as const,
    )
    postStore.patch({ posts: new Map(postsById).set(id, null), lists: new Map(changed) })
  })

for (const { url, body, next } of initialPageData.initialAnswers)
  if (/\/posts(\/following)?$/.test(url)) mergeFirstPageOfPostList(url, { rows: body as Post[], next }, 0)
  else if (/\/posts\/\d+$/.test(url)) storeFetchedPosts([body as Post], 0)
  else if (/\/(posts\/pinned|bookmarks)$/.test(url)) storeFetchedPosts(body as Post[], 0)

addOwnAccountProfileOrFollowsListener((change) => {
  const { lists, posts } = postStore.get()
  liveChanges.forget()
  if (change !== 'followings') postStore.patch({ posts: new Map(), postEpochs: new Map(), lists: new Map() })
  else
    postStore.patch({
      lists: new Map([...lists].filter(([path]) => path !== postsByFollowedPeopleApiPath)),
      // Forgets which posts were not found: some of them may be for followers, so the reader may be able to
      // see them now.
      posts: new Map([...posts].filter(([, post]) => post !== null)),
    })
})
