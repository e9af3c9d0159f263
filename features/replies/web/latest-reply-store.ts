import { patchPostInStore, postStore } from '#features/posts/web/post-store.ts'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { AddedContentDataBatchLoader, toContentKey } from '#web/content-loader.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import type { Reply, ReplyEventDataByName } from '../contract.ts'
import {
  LATEST_REPLIES_PER_POST,
  type LatestRepliesByPostIdResponse,
  type LatestReply,
  latestReplyEndpoints,
} from '../latest-contract.ts'
import {
  changeLatestRepliesKeepingPostInPlace,
  isPointerOrFocusInLatestReplies,
} from './latest-reply-position.ts'

// The store in this file has the newest replies to the posts that are in a list on the page.

type RowsByPost = ReadonlyMap<number, readonly LatestReply[]>

/** The newest replies to each post, newest first, by the id of the post. */
export const latestReplyStore = createStore<{ posts: RowsByPost }>({ posts: new Map() })

const toKey = (post: number) => toContentKey('post', post)
const toPostId = (key: string) => Number(key.split(' ')[1])
const getRows = (post: number) => latestReplyStore.get().posts.get(post)
const setRows = (post: number, rows: readonly LatestReply[]) =>
  latestReplyStore.patch({ posts: new Map(latestReplyStore.get().posts).set(post, rows) })
const countReplies = (post: number) => postStore.get().posts.get(post)?.replies_count ?? 0

/**
 * Puts the response of the server into `latestReplyStore`. `keys` are the keys of the requested posts; a post
 * that the response lacks has no replies to show.
 */
function storeAnswer(keys: readonly string[], { posts: found }: LatestRepliesByPostIdResponse) {
  const posts = new Map(latestReplyStore.get().posts)
  for (const id of keys.map(toPostId)) posts.set(id, found[id] ?? [])
  latestReplyStore.patch({ posts })
}

/**
 * Puts the newest replies in the initial data of the HTML page into the store, and returns the keys of their
 * posts.
 */
function storeInitialAnswer() {
  const answer = findInitialEndpointResponse(latestReplyEndpoints.list)?.body as
    | LatestRepliesByPostIdResponse
    | undefined
  if (!answer) return []
  const keys = Object.keys(answer.posts).map((id) => toKey(Number(id)))
  storeAnswer(keys, answer)
  return keys
}

const toLatestReply = ({ id, created_at, user, body, images, mentions }: Reply): LatestReply => ({
  ...{ id, created_at, user, excerpt: body, images_count: images.length },
  ...(mentions && { mentions }),
})

/**
 * Adds the new reply of an event to the newest replies to its post. If these are not loaded yet, adds the
 * reply only if it is the first reply to the post; otherwise a request for them is already running.
 */
function addReply({ post_id, replies_count, reply }: ReplyEventDataByName['ReplyCreated']) {
  const rows = getRows(post_id) ?? (replies_count === 1 ? [] : undefined)
  if (!rows || rows.some(({ id }) => id === reply.id)) return
  const newest = [toLatestReply(reply), ...rows].sort((a, b) => b.id - a.id)
  setRows(post_id, newest.slice(0, LATEST_REPLIES_PER_POST))
}

/**
 * The time in milliseconds after which the page checks again whether the reader still uses the newest replies
 * to a post.
 */
const WAIT_FOR_READER = 1000

/**
 * Requests the newest replies to a post as soon as the reader no longer points at those that are shown or has
 * the focus in them.
 */
function requestWhenListIsNotInUse(post: number) {
  if (isPointerOrFocusInLatestReplies(post))
    setTimeout(() => requestWhenListIsNotInUse(post), WAIT_FOR_READER)
  else loader.requestAgain([toKey(post)])
}

const loader: AddedContentDataBatchLoader<LatestRepliesByPostIdResponse> = new AddedContentDataBatchLoader({
  initialKeys: storeInitialAnswer(),
  isNeeded: ({ id }) => countReplies(id) > 0,
  request: ({ posts }) => callEndpoint(latestReplyEndpoints.list, { posts }),
  store(keys, answer) {
    // Replies that are shown for the first time move nothing, because the post already has space for them.
    if (keys.some((key) => getRows(toPostId(key))))
      changeLatestRepliesKeepingPostInPlace(() => storeAnswer(keys, answer))
    else storeAnswer(keys, answer)
  },
  events: {
    ReplyCreated(event: ReplyEventDataByName['ReplyCreated']) {
      const { post_id, replies_count } = event
      if (!loader.recordChange(toKey(post_id))) return
      changeLatestRepliesKeepingPostInPlace(() => {
        patchPostInStore(post_id, { replies_count })
        if (!isPointerOrFocusInLatestReplies(post_id)) addReply(event)
      })
      if (isPointerOrFocusInLatestReplies(post_id)) requestWhenListIsNotInUse(post_id)
    },
    ReplyChanged({ id, post_id, body }: ReplyEventDataByName['ReplyChanged']) {
      const rows = getRows(post_id)
      if (!loader.recordChange(toKey(post_id)) || !rows?.some((row) => row.id === id)) return
      setRows(
        post_id,
        rows.map((row) => (row.id === id ? { ...row, excerpt: body } : row)),
      )
    },
    ReplyDeleted({ id, post_id, replies_count }: ReplyEventDataByName['ReplyDeleted']) {
      const key = toKey(post_id)
      const isKnown = loader.recordChange(key)
      const rows = getRows(post_id)
      if (!isKnown || !rows) return
      const left = rows.filter((row) => row.id !== id)
      changeLatestRepliesKeepingPostInPlace(() => {
        patchPostInStore(post_id, { replies_count })
        setRows(post_id, left)
      })
      if (left.length < rows.length && replies_count > left.length) loader.requestAgain([key])
    },
  },
})

/** Keeps the newest replies to a post in a list up to date, until the returned function is called. */
export const keepLatestRepliesUpToDate = (content: PostReplyOrMessageInfo) => loader.keepUpToDate(content)

addOwnAccountProfileOrFollowsListener((change) => {
  if (change === 'account') latestReplyStore.patch({ posts: new Map() })
})
