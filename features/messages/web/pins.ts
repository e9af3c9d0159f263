import type { ConversationRef } from '#features/conversations/web/state.ts'
import { callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { pinEndpoints } from '../contract.ts'
import { type ConversationState, isGroup } from './conversation.ts'

/** The parts of a message store that are needed; its whole type would be a circular import. */
interface GroupStore {
  conversation: ConversationRef
  state: Store<ConversationState>
}

let running: Promise<unknown> = Promise.resolve()

/**
 * One request at a time, so that an older answer does not replace a newer one. Ignores an error, because the
 * next synchronisation loads the pinned messages too.
 */
export function reloadPins(store: GroupStore) {
  running = running.then(() => load(store)).catch(() => {})
  return running
}

async function load({ conversation: { id }, state }: GroupStore) {
  const pins = await callEndpoint(pinEndpoints.list, { id })
  const { info } = state.get()
  if (!info || !isGroup(info)) return
  const { pins: _, ...rest } = info
  state.patch({ info: { ...rest, ...(pins.length > 0 && { pins }) } })
}
