import type { Me } from '#features/people/contract.ts'
import type { Store } from '#web/store.ts'
import { type ConversationRef, setUnread } from './chat-state.ts'
import type { MessageState } from './message-state.ts'

/** Milliseconds in which several moves become one request. */
const SEND_AFTER = 300

interface ReadMarkOptions {
  conversation: ConversationRef
  me: Me
  state: Store<MessageState>
  send: (lastReadId: number) => Promise<unknown>
}
export type ReadMark = ReturnType<typeof createReadMark>

/** Up to which message I have read. Moves forward, changes the badges at once and tells the server. */
export function createReadMark({ conversation, me, state, send }: ReadMarkOptions) {
  let mark = 0
  let isPaused = false
  /** Where the mark goes when it may move again. */
  let pending = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function moveTo(last: number) {
    if (last <= mark) return
    if (isPaused) {
      pending = Math.max(pending, last)
      return
    }
    mark = last
    const isUnread = ({ id, author }: MessageState['messages'][number]) => id > last && author.id !== me.id
    setUnread(conversation, state.get().messages.filter(isUnread).length)
    clearTimeout(timer)
    timer = setTimeout(() => {
      send(mark).catch(() => {
        // The next message that is seen sends it again.
        mark = 0
      })
    }, SEND_AFTER)
  }

  return {
    moveTo,
    /** The server knows this mark. */
    startAt(last: number) {
      mark = Math.max(mark, last)
    },
    /** While messages may be missing between those that are shown, nothing counts as read. */
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      moveTo(pending)
    },
  }
}
