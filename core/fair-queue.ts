/** Thrown where the queue is full. */
export class QueueFull extends Error {}

interface Waiting {
  begin: () => void
  refuse: (error: QueueFull) => void
}

/**
 * Runs at most `concurrency` tasks at a time. Waiting tasks take turns by key, so that a key with many tasks does not delay
 * the task of another key by more than one turn. Where more than `capacity` tasks wait, the newest one of the key with the
 * most tasks is refused.
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
    refuse(new QueueFull('Too many tasks wait'))
  }

  const turnOf = (key: string) =>
    new Promise<void>((begin, refuse) => {
      const tasks = queues.get(key)
      if (tasks) tasks.push({ begin, refuse })
      else queues.set(key, [{ begin, refuse }])
      if (++waiting > capacity) refuseOne()
    })

  return {
    /** Rejects with QueueFull where the task is refused, and as the task does otherwise. */
    async run<T>(key: string, task: () => Promise<T>): Promise<T> {
      if (running < concurrency) running++
      else await turnOf(key)
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
