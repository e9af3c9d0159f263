import { flushSync } from 'react-dom'
import { postChannelDefinitions } from '#features/posts/contract.ts'
import { patchPostInStore } from '#features/posts/web/post-store.ts'
import type { FetchedListPage } from '#web/api.ts'
import { onOwnAccountProfileOrFollowsChange } from '#web/me.ts'
import { listenToChannel } from '#web/realtime.ts'
import { createStore } from '#web/store.ts'
import type { Reply, ReplyRealtimeEvents } from '../contract.ts'

/** The loaded replies to one post: the newest ones, in the order of the page (oldest first). */
export interface LoadedReplies {
  rows: readonly Reply[]
  /** The URL at the API of the page of replies before `rows`; null if there are no earlier replies. */
  earlierUrl: string | null
  /** The value of `State.epoch` when the newest replies were last requested. */
  epoch: number
}

interface State {
  /** The loaded replies, by the id of the post. */
  posts: ReadonlyMap<number, LoadedReplies>
  /** The number of times that the subscription to live events has succeeded: see `postStore`. */
  epoch: number
}

export const replyStore = createStore<State>({ posts: new Map(), epoch: 0 })

/** Likes (true) and unlikes (false) that are being sent, by reply id. Events do not overwrite them. */
export const pendingReplyLikes = new Map<number, boolean>()

function changeReplies(post: number, change: (loaded: LoadedReplies) => LoadedReplies) {
  const { posts } = replyStore.get()
  const loaded = posts.get(post)
  if (loaded) replyStore.patch({ posts: new Map(posts).set(post, change(loaded)) })
}

/**
 * Stores the newest replies. `epoch` is `State.epoch` at the time of the request. Keeps earlier replies
 * that are already loaded, unless replies between them and the newest ones are missing.
 */
export function mergeNewestRepliesIntoStore(
  post: number,
  { rows, next }: FetchedListPage<readonly Reply[]>,
  epoch: number,
) {
  const { posts } = replyStore.get()
  const loaded = posts.get(post)
  const page = rows.toReversed()
  const oldest = page[0]?.id ?? Number.POSITIVE_INFINITY
  const newest = page.at(-1)?.id ?? 0
  const isConnected = loaded?.rows.some(({ id }) => id === oldest) ?? false
  const earlier = isConnected && next ? loaded!.rows.filter(({ id }) => id < oldest) : []
  // Keeps replies that are newer than this page: the reader sent them, or events brought them, after the
  // request.
  const later = loaded?.rows.filter(({ id }) => id > newest) ?? []
  const earlierUrl = earlier.length ? loaded!.earlierUrl : next
  replyStore.patch({
    posts: new Map(posts).set(post, { rows: [...earlier, ...page, ...later], earlierUrl, epoch }),
  })
}

/**
 * Stores the page of replies before the loaded ones. Ignores the page if `url` is no longer the URL of the
 * next earlier page.
 */
export const addEarlierRepliesToStore = (
  post: number,
  url: string,
  { rows, next }: FetchedListPage<readonly Reply[]>,
) =>
  changeReplies(post, (loaded) =>
    loaded.earlierUrl === url
      ? { ...loaded, rows: [...rows.toReversed(), ...loaded.rows], earlierUrl: next }
      : loaded,
  )

/**
 * Adds a new reply. If the reply is loaded already, keeps the loaded one, because an event does not say
 * whether the reader likes the reply.
 */
export const addReplyToStore = (reply: Reply) =>
  changeReplies(reply.post_id, (loaded) =>
    loaded.rows.some(({ id }) => id === reply.id)
      ? loaded
      : { ...loaded, rows: [...loaded.rows, reply].sort((a, b) => a.id - b.id) },
  )

export const patchReplyInStore = (post: number, id: number, patch: Partial<Reply>) =>
  changeReplies(post, (loaded) => ({
    ...loaded,
    rows: loaded.rows.map((reply) => (reply.id === id ? { ...reply, ...patch } : reply)),
  }))

export const removeReplyFromStore = (post: number, id: number) =>
  changeReplies(post, (loaded) => ({ ...loaded, rows: loaded.rows.filter((reply) => reply.id !== id) }))

/** Runs a change of the page, and scrolls so that an element stays at its place in the window. */
export function changeDomKeepingElementInPlace(element: Element | null | undefined, change: () => void) {
  const before = element?.getBoundingClientRect().top
  flushSync(change)
  if (element?.isConnected && before !== undefined)
    window.scrollBy(0, element.getBoundingClientRect().top - before)
}

/**
 * Returns the form in which the reader is writing. The form must not move when a reply of another person
 * arrives.
 */
const focusedForm = () => document.activeElement?.closest('.reply-composer, .reply-edit')

let isListening = false

/**
 * Subscribes to the events of replies once. Stays subscribed while the app is open, so that the loaded
 * replies miss no event.
 */
export function listenToReplyEvents() {
  if (isListening) return
  isListening = true
  listenToChannel(postChannelDefinitions.posts.name, {
    onSubscribed: () => replyStore.patch({ epoch: replyStore.get().epoch + 1 }),
    events: {
      ReplyCreated({ reply, post_id, replies_count }: ReplyRealtimeEvents['ReplyCreated']) {
        changeDomKeepingElementInPlace(focusedForm(), () => addReplyToStore(reply))
        patchPostInStore(post_id, { replies_count })
      },
      ReplyChanged: ({ id, post_id, body, edited_at }: ReplyRealtimeEvents['ReplyChanged']) =>
        changeDomKeepingElementInPlace(focusedForm(), () =>
          patchReplyInStore(post_id, id, { body, edited_at }),
        ),
      ReplyLiked: ({ id, post_id, likes_count }: ReplyRealtimeEvents['ReplyLiked']) =>
        pendingReplyLikes.has(id) || patchReplyInStore(post_id, id, { likes_count }),
      ReplyDeleted({ id, post_id, replies_count }: ReplyRealtimeEvents['ReplyDeleted']) {
        changeDomKeepingElementInPlace(focusedForm(), () => removeReplyFromStore(post_id, id))
        patchPostInStore(post_id, { replies_count })
      },
    },
  })
}

onOwnAccountProfileOrFollowsChange(() => replyStore.patch({ posts: new Map() }))
