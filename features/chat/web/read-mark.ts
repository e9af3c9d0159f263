/** All moves of the read mark within this many milliseconds are sent as one request. */
const READ_MARK_DELAY = 300

/**
 * Creates the object that moves the read mark of the current user in one conversation. `moveTo` moves the
 * mark only forward: the move changes the unread counts at once and is then sent to the server.
 * `setServerMark` can also move the mark back.
 */
export function createReadMarkMover(
  send: (lastReadId: number) => Promise<unknown>,
  onMove: (last: number) => void,
) {
  let mark = 0
  let isPaused = false
  /** The id of the message to which the read mark moves when it is no longer paused. */
  let pending = 0
  /**
   * Whether the next call of `moveTo` sends the read mark to the server even if the mark does not move
   * forward.
   */
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
        // If sending the read mark fails, it is sent again when the next message becomes visible.
        mustSend = true
      })
    }, READ_MARK_DELAY)
  }

  return {
    moveTo,
    /**
     * Moves the read mark to the one that the server has stored, also back if the user has marked messages as
     * unread. Keeps a mark that is not sent yet if it is at a newer message.
     */
    setServerMark(last: number) {
      mark = timer === undefined ? last : Math.max(mark, last)
    },
    /**
     * Pauses the read mark, or lets it move again. The mark is paused while messages may be missing in the
     * list, because missing messages must not become read.
     */
    setPaused(paused: boolean) {
      isPaused = paused
      if (!paused) moveTo(pending)
    },
    /** Drops a move of the read mark that was not sent yet, because the member has logged out. */
    stop: () => clearTimeout(timer),
  }
}
