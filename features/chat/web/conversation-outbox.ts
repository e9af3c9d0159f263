import type { Me } from '#features/people/contract.ts'
import type { Store } from '#web/store.ts'
import { type ChatPartnerOrGroupRef, toConversationKey } from './chat-state.ts'
import type {
  ConversationState,
  createConversationRequestFunctions,
  MessageFromServer,
} from './conversation.ts'
import { createMessageOutbox } from './outbox.ts'
import { createSlowModeSendDelayFunctions } from './slow-mode-wait.ts'

interface ConversationOutboxOptions {
  conversation: ChatPartnerOrGroupRef
  me: Me
  state: Store<ConversationState>
  requests: ReturnType<typeof createConversationRequestFunctions>
  /** Called with each message of the outbox that the server has stored. */
  onSent: (message: MessageFromServer) => void
}

/**
 * Creates the outbox of one conversation: a `createMessageOutbox` that sends with the requests of the
 * conversation, and whose messages are not sent while slow mode makes the user wait.
 */
export function createConversationOutbox(options: ConversationOutboxOptions) {
  const { conversation, me, state, requests, onSent } = options
  const slowMode = createSlowModeSendDelayFunctions(state, me)
  const stopping = new AbortController()
  const outbox = createMessageOutbox(
    `engawa:outbox:${me.id}:${toConversationKey(conversation)}`,
    state,
    async (message, update) => {
      const send = () => requests.send(message, (progress) => update({ progress }), stopping.signal)
      const onWaiting = (isWaiting: boolean) => update({ isWaiting })
      onSent(await slowMode.sendAfterWait(message.client_id, send, onWaiting))
    },
  )
  return {
    ...outbox,
    updateWait: slowMode.onInfo,
    /**
     * Stops the outbox and removes the outgoing messages from this window, because their author is no longer
     * the current user.
     */
    stop() {
      state.patch({ outgoing: [] })
      stopping.abort()
      slowMode.stop()
    },
  }
}
