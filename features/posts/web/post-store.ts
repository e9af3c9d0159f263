import { replaceEqualDeep } from '@tanstack/react-query'
import { fillPath } from '#core/contract.ts'
import type { ListPage } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { onMeChange } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import { type Post, postEndpoints } from '../contract.ts'

export const allPath = postEndpoints.list.path
export const followedPath = postEndpoints.following.path
export const authorPath = (id: number) => fillPath(postEndpoints.byAuthor.path, { id })

/** One list of posts. `shown` has the ids, newest first. */
export interface PostListState {
  shown: readonly number[]
  /** Newer ids that a button shows. */
  waiting: readonly number[]
  /** The page after `shown`; null at the end of the list. */
  nextUrl: string | null
  /** The page after `waiting`, if posts between `waiting` and `shown` are not loaded; otherwise null. */
  gapUrl: string | null
  /** The highest id on all first pages so far. If all ids of a later one are higher, there is a gap. */
  newestFetched: number
  /** `State.epoch` when the first page was last requested; -1 if the list must be fetched again. */
  epoch: number
}

interface State {
  /** Null if the post was deleted or the reader may not see it. */
  posts: ReadonlyMap<number, Post | null>
  /** The epoch in which each post was last requested, by id. */
  postEpochs: ReadonlyMap<number, number>
  /** By API path. */
  lists: ReadonlyMap<string, PostListState>
  /**
   * Rises each time the subscription succeeds. Posts requested in an earlier epoch may have missed events.
   */
  epoch: number
}

export const state = createStore<State>({
  posts: new Map(),
  postEpochs: new Map(),
  lists: new Map(),
  epoch: 0,
})

/**
 * Likes (true) and unlikes (false) that are being sent. Responses and events do not overwrite them meanwhile.
 */
export const pendingLikes = new Map<number, boolean>()

const liveChanges = createLiveChanges()
/**
 * Must run each request for posts and store its response, so that this does not undo changes that arrive
 * meanwhile.
 */
export const load = liveChanges.load

const newestFirst = (...ids: readonly number[]) => [...new Set(ids)].sort((a, b) => b - a)
const idsOf = (rows: readonly Post[]) => rows.map(({ id }) => id)

function changeList(path: string, change: (list: PostListState) => PostListState) {
  const { lists } = state.get()
  const list = lists.get(path)
  if (list) state.patch({ lists: new Map(lists).set(path, change(list)) })
}

/** After each subscription: loaded posts may have missed events. */
export const markOutdated = () => state.patch({ epoch: state.get().epoch + 1 })

/** The list is fetched again, because an event did not contain everything that it shows. */
export const invalidateList = (path: string) => changeList(path, (list) => ({ ...list, epoch: -1 }))

/**
 * `epoch` is `State.epoch` at the time of the request. A post that has not changed stays the same object. A
 * post whose like is being sent is not replaced.
 */
export function put(rows: readonly Post[], epoch = state.get().epoch) {
  const postsById = new Map(state.get().posts)
  const postEpochs = new Map(state.get().postEpochs)
  for (const row of rows) {
    postEpochs.set(row.id, epoch)
    const post = postsById.get(row.id)
    if (!post || !pendingLikes.has(row.id)) postsById.set(row.id, replaceEqualDeep(post, row))
  }
  state.patch({ posts: postsById, postEpochs })
}

/** Written by the reader in this window. */
const own = new Set<number>()

/** New posts appear at once where no shown one moves, or if one of them was just written by the reader. */
const showAtOnce = (list: PostListState) =>
  !list.shown.length || list.waiting.some((id) => own.has(id)) ? withWaiting(list) : list

/** If the list is loaded already, the new posts wait until the reader asks for them. */
export function mergeFirstPage(
  path: string,
  { rows, next }: ListPage<readonly Post[]>,
  epoch = state.get().epoch,
) {
  put(rows, epoch)
  const ids = idsOf(rows)
  const { lists } = state.get()
  const list = lists.get(path)
  const changed = list ? withFirstPage(list, ids, next) : toNewList(ids, next)
  state.patch({ lists: new Map(lists).set(path, { ...changed, epoch }) })
}

const toNewList = (ids: readonly number[], next: string | null) => ({
  shown: ids,
  waiting: [],
  nextUrl: next,
  gapUrl: null,
  newestFetched: ids[0] ?? 0,
})

/** Drops all other lists, because what the reader may see has changed. They are fetched when shown again. */
export function replaceLists(path: string, { rows, next }: ListPage<readonly Post[]>) {
  put(rows)
  const { epoch } = state.get()
  state.patch({ lists: new Map([[path, { ...toNewList(idsOf(rows), next), epoch }]]) })
}

function withFirstPage(list: PostListState, ids: readonly number[], next: string | null) {
  const [newest = 0, oldest = 0] = [ids[0], ids.at(-1)]
  const hasGap = next !== null && oldest > list.newestFetched
  const oldestShown = list.shown.at(-1) ?? 0
  // Drops waiting posts in the range of this page that it does not contain: they were deleted. If posts
  // between the page and the list are not loaded, also drops the waiting posts with lower ids.
  const waiting = list.waiting.filter((id) => id > newest || (id < oldest && !hasGap))
  const added = ids.filter((id) => id > oldestShown && !list.shown.includes(id))
  return showAtOnce({
    ...list,
    waiting: newestFirst(...waiting, ...added),
    gapUrl: hasGap ? next : list.gapUrl,
    newestFetched: Math.max(newest, list.newestFetched),
  })
}

/** Ignores the page if `url` is no longer that of the next page. */
export function addNextPage(
  path: string,
  url: string,
  { rows, next }: ListPage<readonly Post[]>,
  epoch?: number,
) {
  put(rows, epoch)
  changeList(path, (list) =>
    list.nextUrl === url
      ? { ...list, shown: newestFirst(...list.shown, ...idsOf(rows)), nextUrl: next }
      : list,
  )
}

export const showWaiting = (path: string) => changeList(path, withWaiting)

function withWaiting(list: PostListState): PostListState {
  const oldestWaiting = (list.gapUrl !== null && list.waiting.at(-1)) || 0
  const kept = list.shown.filter((id) => id > oldestWaiting)
  const shown = newestFirst(...list.waiting, ...kept)
  return { ...list, shown, waiting: [], nextUrl: list.gapUrl ?? list.nextUrl, gapUrl: null }
}

/** Later features add theirs: API paths of further lists that contain a post. */
export const listFinders: ((post: Post) => readonly string[])[] = []

/** Without the list of the posts of followed people. */
const pathsOf = (post: Post) => [
  allPath,
  authorPath(post.user.id),
  ...listFinders.flatMap((find) => find(post)),
]

export const addWaiting = (post: Post, isFollowed = false) =>
  liveChanges.apply(() => {
    // A stored post is not replaced by that of the event, because only it says whether the reader likes the
    // post.
    if (!state.get().posts.get(post.id)) put([post])
    for (const path of [...pathsOf(post), ...(isFollowed ? [followedPath] : [])])
      changeList(path, (list) =>
        list.shown.includes(post.id)
          ? list
          : showAtOnce({ ...list, waiting: newestFirst(post.id, ...list.waiting) }),
      )
  })

/** Shows it at the top of its lists, together with all waiting posts. */
export function addOwn(post: Post) {
  own.add(post.id)
  put([post])
  addWaiting(post)
}

export const patch = (id: number, patch: Partial<Post>) =>
  liveChanges.apply(() => {
    const postsById = state.get().posts
    const post = postsById.get(id)
    if (post) state.patch({ posts: new Map(postsById).set(id, { ...post, ...patch }) })
  })

/** Stores null in its place. */
export const remove = (id: number) =>
  liveChanges.apply(() => {
    const { posts: postsById, lists } = state.get()
    const without = (ids: readonly number[]) => ids.filter((one) => one !== id)
    const changed = [...lists].map(
      ([path, list]) =>
        [path, { ...list, shown: without(list.shown), waiting: without(list.waiting) }] as const,
    )
    state.patch({ posts: new Map(postsById).set(id, null), lists: new Map(changed) })
  })

for (const { url, body, next } of pageData.initialAnswers)
  if (/\/posts(\/following)?$/.test(url)) mergeFirstPage(url, { rows: body as Post[], next }, 0)
  else if (/\/posts\/\d+$/.test(url)) put([body as Post], 0)
  else if (/\/(posts\/pinned|bookmarks)$/.test(url)) put(body as Post[], 0)

onMeChange((change) => {
  const { lists, posts } = state.get()
  liveChanges.forget()
  if (change !== 'followings') own.clear()
  if (change !== 'followings') state.patch({ posts: new Map(), postEpochs: new Map(), lists: new Map() })
  else
    state.patch({
      lists: new Map([...lists].filter(([path]) => path !== followedPath)),
      // Posts that were not found may be for followers, so the reader may be able to see them now.
      posts: new Map([...posts].filter(([, post]) => post !== null)),
    })
})
