import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentLoader, contentKey } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer, pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { createStore } from '#web/store.ts'
import {
  type AcknowledgementState,
  type AcknowledgementStates,
  acknowledgementEndpoints,
  CHANGED_EVENT,
} from '../contract.ts'

const keyOf = (post: number) => contentKey('post', post)

/** By `contentKey`; null for a post that asks for nothing. */
export const stateStore = createStore<{ shown: ReadonlyMap<string, AcknowledgementState | null> }>({
  shown: new Map(),
})

/** An answer that was requested before replaces nothing. */
export function setState(post: number, state: AcknowledgementState) {
  loader.recordChange(keyOf(post))
  stateStore.patch({ shown: new Map(stateStore.get().shown).set(keyOf(post), state) })
}

function storeAnswer(keys: readonly string[], { posts }: AcknowledgementStates) {
  const shown = new Map(stateStore.get().shown)
  for (const key of keys) shown.set(key, posts[key.slice('post '.length)] ?? null)
  stateStore.patch({ shown })
}

/** Of posts that a list names. */
export function addStates(posts: readonly { id: number; state: AcknowledgementState }[]) {
  for (const { id, state } of posts) setState(id, state)
}

/** From the HTML page. Returns the keys of its posts. */
function storeInitial() {
  const answer = findAnswer(acknowledgementEndpoints.states)?.body as AcknowledgementStates | undefined
  const keys = Object.keys(answer?.posts ?? {}).map((id) => keyOf(Number(id)))
  if (answer) storeAnswer(keys, answer)
  return keys
}

const loader = new ContentLoader({
  initialKeys: storeInitial(),
  request: ({ posts }) => callEndpoint(acknowledgementEndpoints.states, { posts }),
  store: storeAnswer,
  events: {},
})

/** Of posts whose state is requested soon: many may answer at once. */
const planned = new Set<string>()
/** In ms. */
const RELOAD_INTERVAL = 1000

function reloadSoon(key: string) {
  if (planned.has(key) || !loader.recordChange(key)) return
  planned.add(key)
  setTimeout(() => {
    planned.delete(key)
    loader.requestAgain([key])
  }, RELOAD_INTERVAL)
}

let stopEvents: (() => void) | undefined
/** Without the feature `conversations`, the channel of these events does not exist. */
function receiveEvents(me: number) {
  if (stopEvents || !pageData.app.features.includes('conversations')) return
  stopEvents = realtime.listen(fillChannel(chatChannels.member, { user: me }), {
    events: { [CHANGED_EVENT]: ({ post_id }: { post_id: number }) => reloadSoon(keyOf(post_id)) },
  })
}

/** Until the returned function is called. */
export function keepState(content: ContentInfo, me: number) {
  receiveEvents(me)
  return loader.keepUpToDate(content)
}

onMeChange((change) => {
  if (change !== 'account') return
  stopEvents?.()
  stopEvents = undefined
  stateStore.patch({ shown: new Map() })
})
