import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import { type ConversationState, isGroup } from './conversation.ts'

export function createSlowMode(state: Store<ConversationState>, me: Me) {
  let timer: ReturnType<typeof setTimeout> | undefined

  const readGroup = () => {
    const { info } = state.get()
    return info && isGroup(info) ? info : null
  }
  /** 0 if the user need not wait. */
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
  /** Also resolves when the message with this client id is no longer in the outbox. */
  const waitForEnd = (id: string) =>
    new Promise<void>((resolve) => {
      const unsubscribe = state.subscribe(() => {
        if (state.get().waitsUntil && isOutgoing(id)) return
        unsubscribe()
        resolve()
      })
    })
  /** 0 for another reason than slow mode. */
  const readWaitOfError = (error: unknown) => {
    const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0
    return seconds <= readSecondsBetweenMessages() ? seconds : 0
  }

  /**
   * Runs `send` again if the server makes the user wait. Throws without running it if the message was
   * discarded, or if another window has logged in as another member.
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
    /** `slow_mode_wait` is in seconds. */
    onInfo: () => wait(readGroup()?.slow_mode_wait ?? 0),
    stop: () => wait(0),
    sendAfterWait,
  }
}
