import { flushSync } from 'react-dom'
import { postChannels } from '#features/posts/contract.ts'
import * as postStore from '#features/posts/web/post-store.ts'
import type { ListPage } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { onMeChange } from '#web/me.ts'
import * as realtime from '#web/realtime.ts'
import { createStore } from '#web/store.ts'
import type { Reply, ReplyEvents } from '../contract.ts'

/** `rows` are the newest replies to one post, the oldest of them first, as on the page. */
export interface LoadedReplies {
  rows: readonly Reply[]
  /** The page of older replies; null if there are none. */
  earlierUrl: string | null
  /** `State.epoch` when the newest replies were last requested. */
  epoch: number
}

interface State {
  /** By the id of the post. */
  posts: ReadonlyMap<number, LoadedReplies>
  /** Rises each time the subscription succeeds: once at first, and after each outage. */
  epoch: number
}

export const state = createStore<State>({ posts: new Map(), epoch: 0 })

/** Likes (true) and unlikes (false) that are being sent. Events do not overwrite them meanwhile. */
export const pendingLikes = new Map<number, boolean>()

const liveChanges = createLiveChanges()
/** Must run each request and store its response, so that this does not undo changes that arrive meanwhile. */
export const load = liveChanges.load

function changeReplies(post: number, change: (loaded: LoadedReplies) => LoadedReplies) {
  const { posts } = state.get()
  const loaded = posts.get(post)
  if (loaded) state.patch({ posts: new Map(posts).set(post, change(loaded)) })
}

/**
 * `epoch` is `State.epoch` at the time of the request. Keeps the earlier replies that are already loaded,
 * unless replies between them and the newest ones are missing.
 */
export function mergeNewest(post: number, { rows, next }: ListPage<readonly Reply[]>, epoch: number) {
  const { posts } = state.get()
  const loaded = posts.get(post)
  const page = rows.toReversed()
  const oldest = page[0]?.id ?? Number.POSITIVE_INFINITY
  const newest = page.at(-1)?.id ?? 0
  const isConnected = loaded?.rows.some(({ id }) => id === oldest) ?? false
  const earlier = isConnected && next ? loaded!.rows.filter(({ id }) => id < oldest) : []
  // The reader sent later replies after the request, or events brought them.
  const later = loaded?.rows.filter(({ id }) => id > newest) ?? []
  const earlierUrl = earlier.length ? loaded!.earlierUrl : next
  state.patch({
    posts: new Map(posts).set(post, { rows: [...earlier, ...page, ...later], earlierUrl, epoch }),
  })
}

/** Ignores the page if `url` is no longer that of the older replies. */
export const addEarlier = (post: number, url: string, { rows, next }: ListPage<readonly Reply[]>) =>
  changeReplies(post, (loaded) =>
    loaded.earlierUrl === url
      ? { ...loaded, rows: [...rows.toReversed(), ...loaded.rows], earlierUrl: next }
      : loaded,
  )

/** Keeps a loaded reply, because an event does not say whether the reader likes it. */
export const add = (reply: Reply) =>
  liveChanges.apply(() =>
    changeReplies(reply.post_id, (loaded) =>
      loaded.rows.some(({ id }) => id === reply.id)
        ? loaded
        : { ...loaded, rows: [...loaded.rows, reply].sort((a, b) => a.id - b.id) },
    ),
  )

export const patch = (post: number, id: number, patch: Partial<Reply>) =>
  liveChanges.apply(() =>
    changeReplies(post, (loaded) => ({
      ...loaded,
      rows: loaded.rows.map((reply) => (reply.id === id ? { ...reply, ...patch } : reply)),
    })),
  )

export const remove = (post: number, id: number) =>
  liveChanges.apply(() =>
    changeReplies(post, (loaded) => ({ ...loaded, rows: loaded.rows.filter((reply) => reply.id !== id) })),
  )

/** Scrolls the window, so that the element stays at its place in the window. */
export function keepInPlace(element: Element | null | undefined, change: () => void) {
  const before = element?.getBoundingClientRect().top
  flushSync(change)
  if (element?.isConnected && before !== undefined)
    window.scrollBy(0, element.getBoundingClientRect().top - before)
}

/** It must not move when a reply of another person arrives. */
const focusedForm = () => document.activeElement?.closest('.reply-composer, .reply-edit')

let isListening = false

/** Stays subscribed while the app is open, so that the loaded replies miss no event. */
export function subscribe() {
  if (isListening) return
  isListening = true
  realtime.listen(postChannels.posts.name, {
    onSubscribed: () => state.patch({ epoch: state.get().epoch + 1 }),
    events: {
      ReplyCreated({ reply, post_id, replies_count }: ReplyEvents['ReplyCreated']) {
        keepInPlace(focusedForm(), () => add(reply))
        postStore.patch(post_id, { replies_count })
      },
      ReplyChanged: ({ id, post_id, body, edited_at }: ReplyEvents['ReplyChanged']) =>
        keepInPlace(focusedForm(), () => patch(post_id, id, { body, edited_at })),
      ReplyLiked: ({ id, post_id, likes_count }: ReplyEvents['ReplyLiked']) =>
        pendingLikes.has(id) || patch(post_id, id, { likes_count }),
      ReplyDeleted({ id, post_id, replies_count }: ReplyEvents['ReplyDeleted']) {
        keepInPlace(focusedForm(), () => remove(post_id, id))
        postStore.patch(post_id, { replies_count })
      },
    },
  })
}

onMeChange(() => {
  liveChanges.forget()
  state.patch({ posts: new Map() })
})
