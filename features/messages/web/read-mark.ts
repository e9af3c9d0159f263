/** In milliseconds: all moves within it are sent as one request. */
const READ_MARK_DELAY = 300

/** `moveTo` moves the mark only forward, here at once and then on the server; `setServerMark` also back. */
export function createReadMark(
  send: (lastReadId: number) => Promise<unknown>,
  onMove: (last: number) => void,
) {
  let mark = 0
  let isPaused = false
  /** The mark moves here when it is no longer paused. */
  let pending = 0
  /** The next `moveTo` sends the mark even if it does not move forward. */
  let mustSend = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function moveTo(last: number, isNewGroup = false) {
    mustSend ||= isNewGroup
    if (last <= mark && !mustSend) return
    if (isPaused) {
      pending = Math.max(pending, last)
      return
    }
    mustSend = false
    mark = Math.max(mark, last)
    onMove(mark)
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      send(mark).catch(() => {
        // Sent again when the next message becomes visible.
        mustSend = true
      })
    }, READ_MARK_DELAY)
  }

  return {
    moveTo,
    /** Moves it also back, after messages were marked as unread. Keeps an unsent mark at a newer message. */
    setServerMark(last: number) {
      mark = timer === undefined ? last : Math.max(mark, last)
    },
    /** Paused while messages may be missing in the list, because missing messages must not become read. */
    setPaused(paused: boolean) {
      isPaused = paused
      if (!paused) moveTo(pending)
    },
    /** Drops an unsent move, because the member has logged out. */
    stop: () => clearTimeout(timer),
  }
}
