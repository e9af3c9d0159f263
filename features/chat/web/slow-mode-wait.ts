import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { type ConversationState, isGroupConversation } from './conversation.ts'

/** Creates the functions that make the user wait between two messages while slow mode is on in a group. */
export function createSlowModeSendDelayFunctions(state: Store<ConversationState>, me: Me) {
  let timer: ReturnType<typeof setTimeout> | undefined

  const readGroup = () => {
    const { info } = state.get()
    return info && isGroupConversation(info) ? info : null
  }
  /** Returns the seconds that the user must wait between two messages; 0 if the user need not wait. */
  const readSecondsBetweenMessages = () => {
    const group = readGroup()
    return me.is_admin || group?.is_owner ? 0 : (group?.slow_mode_seconds ?? 0)
  }
  function wait(seconds: number) {
    clearTimeout(timer)
    state.patch({ waitsUntil: seconds && Date.now() + seconds * 1000 })
    if (seconds) timer = setTimeout(() => state.patch({ waitsUntil: 0 }), seconds * 1000)
  }
  const isOutgoing = (id: string) => state.get().outgoing.some(({ client_id }) => client_id === id)
  /**
   * Returns a promise that resolves when the user may send a message, or when the message with this client id
   * is no longer in the outbox.
   */
  const waitForEnd = (id: string) =>
    new Promise<void>((resolve) => {
      const unsubscribe = state.subscribe(() => {
        if (state.get().waitsUntil && isOutgoing(id)) return
        unsubscribe()
        resolve()
      })
    })
  /**
   * Returns how many seconds the user must wait if the server refused a message because of slow mode;
   * otherwise 0.
   */
  const readWaitOfError = (error: unknown) => {
    const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0
    return seconds <= readSecondsBetweenMessages() ? seconds : 0
  }

  /**
   * Runs `send` as soon as the user may send the message with the client id `id`. Runs `send` again if the
   * server makes the user wait. Throws without running it if the message was discarded, or if another window
   * has logged in as another member meanwhile.
   */
  async function sendAfterWait<T>(
    id: string,
    send: () => Promise<T>,
    onWaiting: (isWaiting: boolean) => void,
  ): Promise<T> {
    if (state.get().waitsUntil) {
      onWaiting(true)
      await waitForEnd(id)
      onWaiting(false)
      if (isOutgoing(id) && (await callEndpoint(peopleEndpoints.me, {})).id !== me.id)
        throw new ApiError(401, '')
    }
    if (!isOutgoing(id)) throw new DOMException('The message was discarded', 'AbortError')
    try {
      const sent = await send()
      const seconds = readSecondsBetweenMessages()
      if (seconds) wait(seconds)
      return sent
    } catch (error) {
      const seconds = readWaitOfError(error)
      if (!seconds || !isOutgoing(id)) throw error
      wait(seconds)
      return sendAfterWait(id, send, onWaiting)
    }
  }

  return {
    /** Begins, changes or ends the wait as the newest data of the group says (`slow_mode_wait` seconds). */
    onInfo: () => wait(readGroup()?.slow_mode_wait ?? 0),
    /** Ends the wait and its timer. */
    stop: () => wait(0),
    sendAfterWait,
  }
}
