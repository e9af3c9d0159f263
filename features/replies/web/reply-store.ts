import { flushSync } from 'react-dom'
import { postChannelDefinitions } from '#features/posts/contract.ts'
import { patchPostInStore } from '#features/posts/web/post-store.ts'
import type { FetchedListPage } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { listenToChannel } from '#web/realtime.ts'
import { createStore } from '#web/store.ts'
import type { Reply, ReplyEventDataByName } from '../contract.ts'

/**
 * The loaded replies to one post. `rows` are the newest replies to the post, the oldest of them first, as on
 * the page.
 */
export interface LoadedReplies {
  rows: readonly Reply[]
  /** The API URL of the page of replies that are older than `rows`; null if there are no older replies. */
  earlierUrl: string | null
  /** The value of `State.epoch` when the newest replies to the post were last requested. */
  epoch: number
}

interface State {
  /** The loaded replies of each post, by the id of the post. */
  posts: ReadonlyMap<number, LoadedReplies>
  /**
   * The number of times that the subscription to the live events of replies has succeeded: once at first, and
   * again after each outage.
   */
  epoch: number
}

export const replyStore = createStore<State>({ posts: new Map(), epoch: 0 })

/**
 * The likes (true) and unlikes (false) that are being sent to the server, by the id of the reply. Events that
 * arrive meanwhile do not overwrite them in the reply store.
 */
export const pendingLikesAndUnlikesByReplyId = new Map<number, boolean>()

const liveChanges = createLiveChanges()
/**
 * Must run each request for replies, together with the function that stores the response, so that the
 * response does not undo changes that arrive meanwhile.
 */
export const loadReplies = liveChanges.load

function changeReplies(post: number, change: (loaded: LoadedReplies) => LoadedReplies) {
  const { posts } = replyStore.get()
  const loaded = posts.get(post)
  if (loaded) replyStore.patch({ posts: new Map(posts).set(post, change(loaded)) })
}

/**
 * Puts the newest replies to a post into the reply store. `epoch` is the value of `State.epoch` at the
 * time of the request. Keeps the earlier replies that are already loaded, unless replies between them and the
 * newest ones are missing.
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
  // Keeps loaded replies that are newer than this page: the reader sent them after the request, or events
  // brought them.
  const later = loaded?.rows.filter(({ id }) => id > newest) ?? []
  const earlierUrl = earlier.length ? loaded!.earlierUrl : next
  replyStore.patch({
    posts: new Map(posts).set(post, { rows: [...earlier, ...page, ...later], earlierUrl, epoch }),
  })
}

/**
 * Adds the page of replies that are older than the loaded ones to the reply store. Ignores the page if `url`
 * is no longer the URL of that page.
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
 * Adds a new reply to the reply store. If the reply is loaded already, keeps the loaded one, because an event
 * does not say whether the reader likes the reply.
 */
export const addReplyToStore = (reply: Reply) =>
  liveChanges.apply(() =>
    changeReplies(reply.post_id, (loaded) =>
      loaded.rows.some(({ id }) => id === reply.id)
        ? loaded
        : { ...loaded, rows: [...loaded.rows, reply].sort((a, b) => a.id - b.id) },
    ),
  )

export const patchReplyInStore = (post: number, id: number, patch: Partial<Reply>) =>
  liveChanges.apply(() =>
    changeReplies(post, (loaded) => ({
      ...loaded,
      rows: loaded.rows.map((reply) => (reply.id === id ? { ...reply, ...patch } : reply)),
    })),
  )

export const removeReplyFromStore = (post: number, id: number) =>
  liveChanges.apply(() =>
    changeReplies(post, (loaded) => ({ ...loaded, rows: loaded.rows.filter((reply) => reply.id !== id) })),
  )

/**
 * Runs a change of the page, and then scrolls the window so that an element stays at its place in the window.
 */
export function changeDomKeepingElementInPlace(element: Element | null | undefined, change: () => void) {
  const before = element?.getBoundingClientRect().top
  flushSync(change)
  if (element?.isConnected && before !== undefined)
    window.scrollBy(0, element.getBoundingClientRect().top - before)
}

/**
 * Returns the form in which the reader is writing a reply. The form must not move when a reply of another
 * person arrives.
 */
const focusedForm = () => document.activeElement?.closest('.reply-composer, .reply-edit')

let isListening = false

/**
 * Subscribes to the live events of replies, if this has not been done yet. Stays subscribed while the app is
 * open, so that the loaded replies miss no event.
 */
export function subscribeReplyStoreToLiveEvents() {
  if (isListening) return
  isListening = true
  listenToChannel(postChannelDefinitions.posts.name, {
    onSubscribed: () => replyStore.patch({ epoch: replyStore.get().epoch + 1 }),
    events: {
      ReplyCreated({ reply, post_id, replies_count }: ReplyEventDataByName['ReplyCreated']) {
        changeDomKeepingElementInPlace(focusedForm(), () => addReplyToStore(reply))
        patchPostInStore(post_id, { replies_count })
      },
      ReplyChanged: ({ id, post_id, body, edited_at }: ReplyEventDataByName['ReplyChanged']) =>
        changeDomKeepingElementInPlace(focusedForm(), () =>
          patchReplyInStore(post_id, id, { body, edited_at }),
        ),
      ReplyLiked: ({ id, post_id, likes_count }: ReplyEventDataByName['ReplyLiked']) =>
        pendingLikesAndUnlikesByReplyId.has(id) || patchReplyInStore(post_id, id, { likes_count }),
      ReplyDeleted({ id, post_id, replies_count }: ReplyEventDataByName['ReplyDeleted']) {
        changeDomKeepingElementInPlace(focusedForm(), () => removeReplyFromStore(post_id, id))
        patchPostInStore(post_id, { replies_count })
      },
    },
  })
}

addOwnAccountProfileOrFollowsListener(() => {
  liveChanges.forget()
  replyStore.patch({ posts: new Map() })
})
