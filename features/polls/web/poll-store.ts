import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentLoader, contentKey } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import { type Poll, type PollEvents, type Polls, pollEndpoints } from '../contract.ts'

/** By `contentKey`; null for a post or message without a poll. */
export const pollStore = createStore<{ shown: ReadonlyMap<string, Poll | null> }>({ shown: new Map() })

export const setPoll = (key: string, poll: Poll) =>
  pollStore.patch({ shown: new Map(pollStore.get().shown).set(key, poll) })

/** A requested text (`keys`) that the response lacks has no poll. */
function storeAnswer(keys: readonly string[], { posts, messages }: Polls) {
  const shown = new Map(pollStore.get().shown)
  for (const key of keys) {
    const [kind, id] = key.split(' ') as [ContentInfo['kind'], string]
    shown.set(key, (kind === 'post' ? posts : messages)[id] ?? null)
  }
  pollStore.patch({ shown })
}

/** From the HTML page. Returns the keys. */
function storeInitial() {
  const answer = findAnswer(pollEndpoints.list)?.body as Polls | undefined
  if (!answer) return []
  const keysOf = (kind: ContentInfo['kind'], polls: object) =>
    Object.keys(polls).map((id) => contentKey(kind, Number(id)))
  const keys = [...keysOf('post', answer.posts), ...keysOf('message', answer.messages)]
  storeAnswer(keys, answer)
  return keys
}

const hasCounts = (poll: Pick<Poll, 'guests_count'>) => poll.guests_count !== null

/** The event of a new poll arrives before its post or message is shown. */
function applyEvent({ subject, subject_id, poll }: PollEvents['PollChanged']) {
  const key = contentKey(subject, subject_id)
  const isShown = loader.recordChange(key)
  const known = pollStore.get().shown.get(key)
  // The numbers are only for those who have voted, so the event has none.
  if (isShown && known && hasCounts(known) && !hasCounts(poll)) return loader.requestAgain([key])
  setPoll(key, { ...poll, mine: known?.mine ?? null, ...(known?.children && { children: known.children }) })
}

const loader = new ContentLoader({
  initialKeys: storeInitial(),
  request: ({ posts, messages }) => callEndpoint(pollEndpoints.list, { posts, messages }),
  store: storeAnswer,
  events: { PollChanged: applyEvent },
})

/** Until the returned function is called. */
export const keepPoll = (content: ContentInfo) => loader.keepUpToDate(content)

onMeChange((change) => {
  if (change === 'account') pollStore.patch({ shown: new Map() })
})
