export type LiveChanges = ReturnType<typeof createLiveChanges>

/**
 * Creates the functions for data that live events change while a request for the data may be running. The
 * response to such a request may be older than the event, and would undo the change.
 */
export function createLiveChanges() {
  const running = new Set<(() => unknown)[]>()
  return {
    /** Forgets the changes so far, because another person has logged in, or may see other things now. */
    forget() {
      for (const changes of running) changes.length = 0
    },
    /** Makes a change, and once more after each request that runs now. The second time must do no harm. */
    apply(change: () => unknown) {
      for (const changes of running) changes.push(change)
      change()
    },
    /**
     * Runs `load`, which requests data and stores the response. Then makes the changes again that arrived
     * meanwhile. If the response is newer than one of them, another event follows and sets the newest value.
     */
    async load<T>(load: () => Promise<T>) {
      const changes: (() => unknown)[] = []
      running.add(changes)
      const loaded = await load().finally(() => running.delete(changes))
      for (const change of changes) change()
      return loaded
    },
  }
}
