import * as postStore from '#features/posts/web/post-store.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentLoader, contentKey } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import {
  LATEST_PER_POST,
  type LatestByPost,
  type LatestReply,
  latestEndpoints,
  type Reply,
  type ReplyEvents,
} from '../contract.ts'
import * as store from './reply-store.ts'

type RowsByPost = ReadonlyMap<number, readonly LatestReply[]>

/** By the id of a post that is in a list on the page, newest first. */
export const latestStore = createStore<{ posts: RowsByPost }>({ posts: new Map() })

const toKey = (post: number) => contentKey('post', post)
const toPostId = (key: string) => Number(key.split(' ')[1])
const getRows = (post: number) => latestStore.get().posts.get(post)
const setRows = (post: number, rows: readonly LatestReply[]) =>
  latestStore.patch({ posts: new Map(latestStore.get().posts).set(post, rows) })
const countReplies = (post: number) => postStore.state.get().posts.get(post)?.replies_count ?? 0

/** A requested post (`keys`) that the response lacks has no replies to show. */
function storeAnswer(keys: readonly string[], { posts: found }: LatestByPost) {
  const posts = new Map(latestStore.get().posts)
  for (const id of keys.map(toPostId)) posts.set(id, found[id] ?? [])
  latestStore.patch({ posts })
}

/** From the HTML page. Returns the keys of the posts. */
function storeInitialAnswer() {
  const answer = findAnswer(latestEndpoints.list)?.body as LatestByPost | undefined
  if (!answer) return []
  const keys = Object.keys(answer.posts).map((id) => toKey(Number(id)))
  storeAnswer(keys, answer)
  return keys
}

const toLatestReply = ({ id, created_at, user, body, images, files, mentions }: Reply): LatestReply => ({
  ...{ id, created_at, user, excerpt: body, images_count: images.length },
  ...(files && { files_count: files.length }),
  ...(mentions && { mentions }),
})

/** If the newest replies are not loaded yet, adds only a first reply: otherwise a request is running. */
function addReply({ post_id, replies_count, reply }: ReplyEvents['ReplyCreated']) {
  const rows = getRows(post_id) ?? (replies_count === 1 ? [] : undefined)
  if (!rows || rows.some(({ id }) => id === reply.id)) return
  const newest = [toLatestReply(reply), ...rows].sort((a, b) => b.id - a.id)
  setRows(post_id, newest.slice(0, LATEST_PER_POST))
}

/** Milliseconds until the page checks again whether the reader still uses the newest replies. */
const WAIT_FOR_READER = 1000

/** Waits while the reader points at the newest replies or has the focus in them. */
function requestWhenUnused(post: number) {
  if (isInUse(post)) setTimeout(() => requestWhenUnused(post), WAIT_FOR_READER)
  else loader.requestAgain([toKey(post)])
}

const loader: ContentLoader<LatestByPost> = new ContentLoader({
  initialKeys: storeInitialAnswer(),
  isNeeded: ({ id }) => countReplies(id) > 0,
  request: ({ posts }) => callEndpoint(latestEndpoints.list, { posts }),
  store(keys, answer) {
    // The post already has space for replies that are shown for the first time.
    if (keys.some((key) => getRows(toPostId(key)))) keepPostInPlace(() => storeAnswer(keys, answer))
    else storeAnswer(keys, answer)
  },
  events: {
    ReplyCreated(event: ReplyEvents['ReplyCreated']) {
      const { post_id, replies_count } = event
      if (!loader.recordChange(toKey(post_id))) return
      keepPostInPlace(() => {
        postStore.patch(post_id, { replies_count })
        if (!isInUse(post_id)) addReply(event)
      })
      if (isInUse(post_id)) requestWhenUnused(post_id)
    },
    ReplyChanged({ id, post_id, body }: ReplyEvents['ReplyChanged']) {
      const rows = getRows(post_id)
      if (!loader.recordChange(toKey(post_id)) || !rows?.some((row) => row.id === id)) return
      setRows(
        post_id,
        rows.map((row) => (row.id === id ? { ...row, excerpt: body } : row)),
      )
    },
    ReplyDeleted({ id, post_id, replies_count }: ReplyEvents['ReplyDeleted']) {
      const key = toKey(post_id)
      const isKnown = loader.recordChange(key)
      const rows = getRows(post_id)
      if (!isKnown || !rows) return
      const left = rows.filter((row) => row.id !== id)
      keepPostInPlace(() => {
        postStore.patch(post_id, { replies_count })
        setRows(post_id, left)
      })
      if (left.length < rows.length && replies_count > left.length) loader.requestAgain([key])
    },
  },
})

/** Until the returned function is called. */
export const keepLatest = (content: ContentInfo) => loader.keepUpToDate(content)

onMeChange((change) => {
  if (change === 'account') latestStore.patch({ posts: new Map() })
})

/** The reader points at the newest replies in a list, or has the focus in them. */
const isInUse = (post: number) =>
  document.querySelector(`article[data-post="${post}"] .latest-replies`)?.matches(':hover, :focus-within') ??
  false

function isInWindow(element: Element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** The post under the pointer, or else with the focus, or else in the middle of the window. */
function findPostOfReader() {
  const elements = [
    document.querySelector('article[data-post]:hover'),
    document.activeElement,
    document.elementFromPoint(innerWidth / 2, innerHeight / 2),
  ]
  return elements
    .map((element) => element?.closest('article[data-post]'))
    .find((post) => post && isInWindow(post))
}

/** `change` makes posts longer or shorter. The reader must not press a wrong button. */
const keepPostInPlace = (change: () => void) => store.keepInPlace(findPostOfReader(), change)
