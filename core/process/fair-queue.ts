/** The error of a task that is refused because too many tasks wait. */
export class QueueFullError extends Error {}

interface Waiting {
  group: string
  begin: () => void
  refuse: (error: QueueFullError) => void
}

interface FairQueueOptions {
  concurrency: number
  capacity: number
  /** How many of the tasks that run may have the same key. By default all. */
  perKey?: number
  /** How many of the tasks that run may have the same group. By default all. */
  perGroup?: number
}

function createCounts() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    add(name: string, number: number) {
      const count = of(name) + number
      if (count) counts.set(name, count)
      else counts.delete(name)
    },
  }
}

/**
 * Runs a bounded number of tasks at a time: of all, of one key and of one group, which are two independent
 * properties of a task, such as the member and the host. Waiting tasks take turns by key, so that a key with
 * many tasks does not delay the task of another key by more than one turn. If more than `capacity` tasks
 * wait, the newest task of the key with the most tasks is refused.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { concurrency, capacity, perKey = concurrency, perGroup = concurrency } = options
  /** The waiting tasks of each key. The key that comes first in the map has the next turn. */
  const queues = new Map<string, Waiting[]>()
  const [ofKey, ofGroup] = [createCounts(), createCounts()]
  let running = 0
  let waiting = 0

  const hasRoom = (key: string, group: string) =>
    running < concurrency && ofKey.of(key) < perKey && ofGroup.of(group) < perGroup

  function count(key: string, group: string, number: 1 | -1) {
    running += number
    ofKey.add(key, number)
    ofGroup.add(group, number)
  }

  /** Begins the next waiting task that has room. Returns false if none has. */
  function beginNext() {
    for (const [key, tasks] of queues) {
      const index = tasks.findIndex(({ group }) => hasRoom(key, group))
      const task = tasks[index]
      if (!task) continue
      remove(key, task)
      // Moves the key behind the others.
      if (queues.delete(key) && tasks.length) queues.set(key, tasks)
      count(key, task.group, 1)
      task.begin()
      return true
    }
    return false
  }

  function refuseOne() {
    let [longest, most] = ['', 0]
    for (const [key, { length }] of queues) if (length > most) [longest, most] = [key, length]
    const task = queues.get(longest)!.at(-1)!
    remove(longest, task)
    task.refuse(new QueueFullError('Too many tasks wait'))
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

  function turnOf(key: string, group: string, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const task: Waiting = { group, begin: resolve, refuse: reject }
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
    async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal, group = ''): Promise<T> {
      signal?.throwIfAborted()
      if (hasRoom(key, group)) count(key, group, 1)
      else await turnOf(key, group, signal)
      try {
        return await task()
      } finally {
        count(key, group, -1)
        while (beginNext());
      }
    },
    waiting: () => waiting,
  }
}
