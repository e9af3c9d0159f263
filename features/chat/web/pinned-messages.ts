import { callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { messagePinEndpoints } from '../message-pin-contract.ts'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import { type ConversationState, isGroupConversation } from './conversation.ts'

/**
 * The parts of a message store that `reloadPinnedMessages` needs. To import the type of the whole store would
 * be a circular import.
 */
interface GroupStore {
  conversation: ChatPartnerOrGroupRef
  state: Store<ConversationState>
}

let running: Promise<unknown> = Promise.resolve()

/**
 * Loads the pinned messages of a group again and stores them in the state. Runs one request at a time, so
 * that an older answer does not replace a newer one. Ignores an error, because the next synchronisation of
 * the conversation loads the pinned messages too.
 */
export function reloadPinnedMessages(store: GroupStore) {
  running = running.then(() => load(store)).catch(() => {})
  return running
}

async function load({ conversation: { id }, state }: GroupStore) {
  const pins = await callEndpoint(messagePinEndpoints.list, { id })
  const { info } = state.get()
  if (!info || !isGroupConversation(info)) return
  const { pins: _, ...rest } = info
  state.patch({ info: { ...rest, ...(pins.length > 0 && { pins }) } })
}
