import { callEndpoint } from '#web/api.ts'
import { onMeChange } from '#web/me.ts'
import { createStore } from '#web/store.ts'
import { handleEndpoints, MAX_HANDLES } from '../contract.ts'

/** Ids by handle, for those that the page has asked for. Null if nobody whom the reader may see has it. */
export const handleStore = createStore<ReadonlyMap<string, number | null>>(new Map())

/** In ms; then one request asks for all of them. */
const COLLECTING_TIME = 50

/** `waiting` is for the next request; `requested` has no response yet. */
let waiting = new Set<string>()
let requested = new Set<string>()

// Another reader may see other people, and the member may have taken another handle.
onMeChange((change) => {
  if (change === 'followings') return
  waiting = new Set()
  requested = new Set()
  handleStore.set(new Map())
})

/**
 * One request for all handles within `COLLECTING_TIME`, because a page renders its texts in several steps.
 */
export function loadHandles(handles: readonly string[]) {
  const isFirst = !waiting.size
  for (const handle of handles)
    if (!handleStore.get().has(handle) && !requested.has(handle)) waiting.add(handle)
  if (isFirst && waiting.size) setTimeout(sendRequests, COLLECTING_TIME)
}

function sendRequests() {
  const handles = [...waiting]
  waiting = new Set()
  for (let start = 0; start < handles.length; start += MAX_HANDLES)
    void sendRequest(handles.slice(start, start + MAX_HANDLES), requested)
}

/**
 * `pending` is `requested` at the time of the request. A change of the account or profile replaces that set;
 * then the response is ignored.
 */
async function sendRequest(handles: readonly string[], pending: Set<string>) {
  for (const handle of handles) pending.add(handle)
  const found = await callEndpoint(handleEndpoints.find, { handles: handles.join(',') }).catch(() => null)
  for (const handle of handles) pending.delete(handle)
  // After a failure, mentions stay plain text until the next one of these handles is rendered.
  if (!found || pending !== requested) return
  const ids = new Map(found.map(({ handle, id }) => [handle, id]))
  handleStore.set(
    new Map([...handleStore.get(), ...handles.map((handle) => [handle, ids.get(handle) ?? null] as const)]),
  )
}
