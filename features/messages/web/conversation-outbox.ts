import type { ConversationRef } from '#features/conversations/web/state.ts'
import * as chatState from '#features/conversations/web/state.ts'
import type { Me } from '#features/people/contract.ts'
import type { Store } from '#web/store.ts'
import type { ConversationState, createRequests, ServerMessage } from './conversation.ts'
import { createOutbox } from './outbox.ts'
import { createSlowMode } from './slow-mode-wait.ts'

interface Options {
  conversation: ConversationRef
  me: Me
  state: Store<ConversationState>
  requests: ReturnType<typeof createRequests>
  /** Called when the server has stored the message. */
  onSent: (message: ServerMessage) => void
}

/** Its messages are not sent while slow mode makes the user wait. */
export function openOutbox(options: Options) {
  const { conversation, me, state, requests, onSent } = options
  const slowMode = createSlowMode(state, me)
  let stopping = new AbortController()
  const outbox = createOutbox(
    `engawa:outbox:${me.id}:${chatState.keyOf(conversation)}`,
    state,
    async ({ message, update, check }) => {
      const { signal } = stopping
      const send = async () => {
        await check()
        signal.throwIfAborted()
        return requests.send(message, (progress) => update({ progress }), signal)
      }
      const onWaiting = (isWaiting: boolean) => update({ isWaiting })
      onSent(await slowMode.sendAfterWait(message.client_id, send, onWaiting))
    },
  )
  function stop() {
    outbox.stop()
    stopping.abort()
    stopping = new AbortController()
    slowMode.stop()
  }
  return {
    ...outbox,
    updateWait: slowMode.onInfo,
    stop,
    /** Stops it, and returns what it has not sent. */
    release() {
      const { outgoing } = state.get()
      stop()
      return outgoing
    },
  }
}
