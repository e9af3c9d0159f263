/** The error of a task that is refused because too many tasks wait. */
export class QueueFullError extends Error {}

interface Waiting {
  begin: () => void
  refuse: (error: QueueFullError) => void
}

/**
 * Runs at most `concurrency` tasks at a time. Waiting tasks take turns by key, so that a key with many tasks
 * does not delay the task of another key by more than one turn. If more than `capacity` tasks wait, the
 * newest task of the key with the most tasks is refused.
 */
export function createFairQueue({ concurrency, capacity }: { concurrency: number; capacity: number }) {
  /** The waiting tasks of each key. The key that comes first in the map has the next turn. */
  const queues = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  function next() {
    const [turn] = queues
    if (!turn) return
    const [key, tasks] = turn
    const { begin } = tasks.shift()!
    waiting--
    queues.delete(key)
    if (tasks.length) queues.set(key, tasks)
    begin()
  }

  function refuseOne() {
    let [longest, most] = ['', 0]
    for (const [key, { length }] of queues) if (length > most) [longest, most] = [key, length]
    const tasks = queues.get(longest)!
    const { refuse } = tasks.pop()!
    waiting--
    if (!tasks.length) queues.delete(longest)
    refuse(new QueueFullError('Too many tasks wait'))
  }

  function remove(key: string, task: Waiting) {
    const tasks = queues.get(key) ?? []
    const index = tasks.indexOf(task)
    if (index < 0) return false
    tasks.splice(index, 1)
    waiting--
    if (!tasks.length) queues.delete(key)
    return true
  }

  function turnOf(key: string, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const task: Waiting = { begin: resolve, refuse: reject }
    const tasks = queues.get(key)
    if (tasks) tasks.push(task)
    else queues.set(key, [task])
    if (++waiting > capacity) refuseOne()
    const abort = () => remove(key, task) && reject(signal!.reason)
    signal?.addEventListener('abort', abort)
    return promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  return {
    /**
     * Runs a task when it is the turn of its key, and resolves or rejects as the task does. Rejects with
     * QueueFullError if the task is refused, and with the reason of `signal` if that aborts before the task
     * begins.
     */
    async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted()
      if (running < concurrency) running++
      else await turnOf(key, signal)
      try {
        return await task()
      } finally {
        if (waiting) next()
        else running--
      }
    },
    waiting: () => waiting,
  }
}
