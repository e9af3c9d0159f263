import { callEndpoint } from '#web/api.ts'
import { messagePinEndpoints } from '../message-pin-contract.ts'
import { isGroupConversation } from './conversation.ts'
import type { MessageStore } from './message-store.ts'

let running: Promise<unknown> = Promise.resolve()

/**
 * Loads the pinned messages of a group again. Runs one request at a time, so that an older answer does not
 * replace a newer one. Ignores an error, because the next synchronisation of the conversation loads them too.
 */
export function reloadPinnedMessages(store: MessageStore) {
  running = running.then(() => load(store)).catch(() => {})
  return running
}

async function load({ conversation: { id }, state }: MessageStore) {
  const pins = await callEndpoint(messagePinEndpoints.list, { id })
  const { info } = state.get()
  if (!info || !isGroupConversation(info)) return
  const { pins: _, ...rest } = info
  state.patch({ info: { ...rest, ...(pins.length > 0 && { pins }) } })
}
