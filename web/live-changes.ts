export type LiveChanges = ReturnType<typeof createLiveChanges>

/** A response may be older than an event that arrived during the request, and would undo its change. */
export function createLiveChanges() {
  const running = new Set<(() => unknown)[]>()
  return {
    /** Another person has logged in, or may see other things now. */
    forget() {
      for (const changes of running) changes.length = 0
    },
    /** Makes a change, and once more after each request that runs now. The second time must do no harm. */
    apply(change: () => unknown) {
      for (const changes of running) changes.push(change)
      change()
    },
    /** Makes again the changes that arrived meanwhile. If the response is newer, another event follows. */
    async load<T>(load: () => Promise<T>) {
      const changes: (() => unknown)[] = []
      running.add(changes)
      const loaded = await load().finally(() => running.delete(changes))
      for (const change of changes) change()
      return loaded
    },
  }
}
