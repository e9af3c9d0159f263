import { callEndpoint } from '#web/api.ts'
import { ContentLoader, contentKey } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import {
  type ChangedDate,
  type EventChanges,
  type EventDate,
  eventEndpoints,
  type PostEvent,
  type PostEvents,
} from '../contract.ts'

/** By `contentKey` of the post; null for a post without an event. */
export const eventStore = createStore<{ shown: ReadonlyMap<string, PostEvent | null> }>({ shown: new Map() })

const listeners = new Set<(date: ChangedDate['date']) => void>()

/** Until the returned function is called. */
export function onDateChange(listener: (date: ChangedDate['date']) => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What others see of a date, beside what only the viewer sees. */
export const withShared = <D extends EventDate>(date: D, shared: ChangedDate['date']): D => ({
  ...date,
  ...shared,
})

/** The viewer waits, and others left the list or the event: who joins it changes nobody's place. */
export const mayMove = ({ mine, counts }: EventDate, shared: ChangedDate['date']) =>
  mine?.position !== undefined &&
  (shared.counts.waiting < counts.waiting || shared.counts.taken < counts.taken || shared.is_closed)

/** What the server answers to a change of one date. */
export function setDate(date: EventDate) {
  const key = contentKey('post', date.post_id)
  const known = eventStore.get().shown.get(key)
  if (known?.date.id === date.id)
    eventStore.patch({ shown: new Map(eventStore.get().shown).set(key, { ...known, date }) })
}

/** A requested post (`keys`) that the response lacks has no event. */
function storeAnswer(keys: readonly string[], events: PostEvents) {
  const shown = new Map(eventStore.get().shown)
  for (const key of keys) shown.set(key, events[key.split(' ')[1]!] ?? null)
  eventStore.patch({ shown })
}

/** From the HTML page. Returns the keys. */
function storeInitial() {
  const answer = findAnswer(eventEndpoints.ofPosts)?.body as PostEvents | undefined
  const keys = Object.keys(answer ?? {}).map((id) => contentKey('post', Number(id)))
  if (answer) storeAnswer(keys, answer)
  return keys
}

function applyEvent({ post_id, date }: EventChanges['EventChanged']) {
  for (const listener of listeners) listener(date)
  const key = contentKey('post', post_id)
  if (!loader.recordChange(key)) return
  const known = eventStore.get().shown.get(key)
  if (known?.date.id === date.id) setDate(withShared(known.date, date))
  // Another date may be the next one now.
  if (!known || known.date.id !== date.id || mayMove(known.date, date)) loader.requestAgain([key])
}

const loader = new ContentLoader({
  initialKeys: storeInitial(),
  isNeeded: ({ kind }) => kind === 'post',
  request: ({ posts }) => callEndpoint(eventEndpoints.ofPosts, { posts }),
  store: storeAnswer,
  events: { EventChanged: applyEvent },
})

/** Until the returned function is called. */
export const keepEvent = (content: Parameters<typeof loader.keepUpToDate>[0]) => loader.keepUpToDate(content)

onMeChange((change) => {
  if (change === 'account') eventStore.patch({ shown: new Map() })
})
