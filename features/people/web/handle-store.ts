import { callEndpoint } from '#web/api.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { createStore } from '#web/store.ts'
import { handleLookupEndpoints, MAX_HANDLES_PER_LOOKUP } from '../handle-contract.ts'

/**
 * Stores the ids of the members with the handles that the page has asked for, by handle. The id is null if no
 * member has the handle, or if the reader may not see the member.
 */
export const memberIdByHandleStore = createStore<ReadonlyMap<string, number | null>>(new Map())

/** The time in ms for which handles are collected before one request asks for the ids of all of them. */
const COLLECTING_TIME = 50

/**
 * `waiting` has the handles of the next request. `requested` has the handles of the requests that have no
 * response yet.
 */
let waiting = new Set<string>()
let requested = new Set<string>()

// Forgets all ids of handles when the account or the profile of the reader changes: another member may see
// other people, and the member may have taken another handle.
addOwnAccountProfileOrFollowsListener((change) => {
  if (change === 'followings') return
  waiting = new Set()
  requested = new Set()
  memberIdByHandleStore.set(new Map())
})

/**
 * Asks the server for the ids of the members with these handles, and adds them to `memberIdByHandleStore`.
 * All handles that components ask for within `COLLECTING_TIME` go into one request, because a page renders
 * its texts in several steps.
 */
export function loadMemberIdsOfHandlesIntoStore(handles: readonly string[]) {
  const isFirst = !waiting.size
  for (const handle of handles)
    if (!memberIdByHandleStore.get().has(handle) && !requested.has(handle)) waiting.add(handle)
  if (isFirst && waiting.size) setTimeout(sendRequests, COLLECTING_TIME)
}

function sendRequests() {
  const handles = [...waiting]
  waiting = new Set()
  for (let start = 0; start < handles.length; start += MAX_HANDLES_PER_LOOKUP)
    void sendRequest(handles.slice(start, start + MAX_HANDLES_PER_LOOKUP), requested)
}

/**
 * Sends one request for the ids of these handles. `pending` is the set `requested` at the time of the
 * request. A change of the account or the profile replaces `requested` by another set; then the response is
 * ignored.
 */
async function sendRequest(handles: readonly string[], pending: Set<string>) {
  for (const handle of handles) pending.add(handle)
  const found = await callEndpoint(handleLookupEndpoints.find, { handles: handles.join(',') }).catch(
    () => null,
  )
  for (const handle of handles) pending.delete(handle)
  // After a failed request, the mentions stay plain text. The next mention of these handles that is rendered
  // starts another request.
  if (!found || pending !== requested) return
  const ids = new Map(found.map(({ handle, id }) => [handle, id]))
  memberIdByHandleStore.set(
    new Map([
      ...memberIdByHandleStore.get(),
      ...handles.map((handle) => [handle, ids.get(handle) ?? null] as const),
    ]),
  )
}
