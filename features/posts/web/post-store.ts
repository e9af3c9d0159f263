import { replaceEqualDeep } from '@tanstack/react-query'
import { fillPath } from '#core/contract.ts'
import type { Rows } from '#web/api.ts'
import { onOwnChange } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import { type Post, posts } from '../contract.ts'

/** Addresses of the lists of posts. */
export const allPosts = posts.list.path
export const followedPosts = posts.following.path
export const postsBy = (id: number) => fillPath(posts.byAuthor.path, { id })

/** A list of posts: their ids, newest first. */
export interface PostList {
  shown: readonly number[]
  /** Newer posts. They are shown when the reader asks for them. */
  waiting: readonly number[]
  /** Address of the page after `shown`; null at the end of the list. */
  next: string | null
  /** Address of the page after `waiting`, where posts between `waiting` and `shown` are not loaded. */
  gap: string | null
  /** The newest post of the last page that the server sent. */
  newestFetched: number
  /** The value of `State.began` when the first page was last asked for; -1 where the list must be asked for. */
  asOf: number
}

interface State {
  /** Every post once; null after it was deleted. */
  posts: ReadonlyMap<number, Post | null>
  /** By post: the value of `began` when its row was last asked for. */
  postsAsOf: ReadonlyMap<number, number>
  /** By their address. */
  lists: ReadonlyMap<string, PostList>
  /**
   * How many times the live events have begun: once, and again after each gap in the connection. Rows that
   * were asked for at an earlier count may be out of date.
   */
  began: number
}

export const postStore = createStore<State>({
  posts: new Map(),
  postsAsOf: new Map(),
  lists: new Map(),
  began: 0,
})

/** Posts whose like (or unlike) is being sent: older answers and events do not overwrite it. */
export const likesUnderWay = new Map<number, boolean>()

const newestFirst = (...ids: readonly number[]) => [...new Set(ids)].sort((a, b) => b - a)
const idsOf = (rows: readonly Post[]) => rows.map(({ id }) => id)

function changeList(path: string, change: (list: PostList) => PostList) {
  const { lists } = postStore.get()
  const list = lists.get(path)
  if (list) postStore.patch({ lists: new Map(lists).set(path, change(list)) })
}

/** The live events have begun, perhaps after a gap. */
export const eventsBegan = () => postStore.patch({ began: postStore.get().began + 1 })

/** An event told too little of a change: this list is to be asked for again. */
export const outdateList = (path: string) => changeList(path, (list) => ({ ...list, asOf: -1 }))

/**
 * Stores rows of the server, asked for when `State.began` was `asOf`. Rows that are equal to the stored ones
 * stay the same objects.
 */
export function receivePosts(rows: readonly Post[], asOf = postStore.get().began) {
  const known = new Map(postStore.get().posts)
  const postsAsOf = new Map(postStore.get().postsAsOf)
  for (const row of rows) {
    postsAsOf.set(row.id, asOf)
    const post = known.get(row.id)
    if (!post || !likesUnderWay.has(row.id)) known.set(row.id, replaceEqualDeep(post, row))
  }
  postStore.patch({ posts: known, postsAsOf })
}

/** Stores the first page of a list. Where the list is there already, its new posts wait. */
export function receiveFirstPage(
  path: string,
  { rows, next }: Rows<readonly Post[]>,
  asOf = postStore.get().began,
) {
  receivePosts(rows, asOf)
  const ids = idsOf(rows)
  const { lists } = postStore.get()
  const list = lists.get(path)
  const changed = list
    ? withFirstPage(list, ids, next)
    : { shown: ids, waiting: [], next, gap: null, newestFetched: ids[0] ?? 0 }
  postStore.patch({ lists: new Map(lists).set(path, { ...changed, asOf }) })
}

function withFirstPage(list: PostList, ids: readonly number[], next: string | null) {
  const [newest = 0, oldest = 0] = [ids[0], ids.at(-1)]
  const hasGap = next !== null && oldest > list.newestFetched
  const oldestShown = list.shown.at(-1) ?? 0
  // A waiting post that the page lacks within its range was deleted. Those behind a gap are dropped.
  const waiting = list.waiting.filter((id) => id > newest || (id < oldest && !hasGap))
  const added = ids.filter((id) => id > oldestShown && !list.shown.includes(id))
  return {
    ...list,
    waiting: newestFirst(...waiting, ...added),
    gap: hasGap ? next : list.gap,
    newestFetched: Math.max(newest, list.newestFetched),
  }
}

/** Stores the page at the address `from`, below the posts shown. */
export function receiveNextPage(
  path: string,
  from: string,
  { rows, next }: Rows<readonly Post[]>,
  asOf?: number,
) {
  receivePosts(rows, asOf)
  changeList(path, (list) =>
    list.next === from ? { ...list, shown: newestFirst(...list.shown, ...idsOf(rows)), next } : list,
  )
}

export const showWaiting = (path: string) =>
  changeList(path, (list) => {
    const oldestWaiting = (list.gap !== null && list.waiting.at(-1)) || 0
    const kept = list.shown.filter((id) => id > oldestWaiting)
    const shown = newestFirst(...list.waiting, ...kept)
    return { ...list, shown, waiting: [], next: list.gap ?? list.next, gap: null }
  })

/** The lists that every post of an author is in. */
const pathsOf = ({ user }: Post) => [allPosts, postsBy(user.id)]

/** A member wrote a post: it waits in its lists. */
export function addPost(post: Post, isFollowed = false) {
  // An answer to the reader says more than the event: whether they like the post.
  if (!postStore.get().posts.get(post.id)) receivePosts([post])
  for (const path of [...pathsOf(post), ...(isFollowed ? [followedPosts] : [])])
    changeList(path, (list) =>
      list.shown.includes(post.id) ? list : { ...list, waiting: newestFirst(post.id, ...list.waiting) },
    )
}

/** The reader wrote a post: it is shown on top of its lists, with everything that waits there. */
export function addOwnPost(post: Post) {
  receivePosts([post])
  addPost(post)
  for (const path of pathsOf(post)) showWaiting(path)
}

export function patchPost(id: number, patch: Partial<Post>) {
  const known = postStore.get().posts
  const post = known.get(id)
  if (post) postStore.patch({ posts: new Map(known).set(id, { ...post, ...patch }) })
}

/** Takes a deleted post out of every list. */
export function removePost(id: number) {
  const { posts: known, lists } = postStore.get()
  const without = (ids: readonly number[]) => ids.filter((one) => one !== id)
  const changed = [...lists].map(
    ([path, list]) =>
      [path, { ...list, shown: without(list.shown), waiting: without(list.waiting) }] as const,
  )
  postStore.patch({ posts: new Map(known).set(id, null), lists: new Map(changed) })
}

for (const { url, body, next } of pageData.first)
  if (/\/posts(\/following)?$/.test(url)) receiveFirstPage(url, { rows: body as Post[], next }, 0)
  else if (/\/posts\/\d+$/.test(url)) receivePosts([body as Post], 0)

onOwnChange((change) => {
  const { lists } = postStore.get()
  if (change !== 'followings') postStore.patch({ posts: new Map(), postsAsOf: new Map(), lists: new Map() })
  else postStore.patch({ lists: new Map([...lists].filter(([path]) => path !== followedPosts)) })
})
