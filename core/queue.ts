/** Runs at most `most` of the works at once, the others in their order. */
export function atATime(most: number) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === most) await new Promise<void>((resolve) => queue.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

/** Works of one key follow each other in their order; those of different keys do not wait for each other. */
export function inTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const forget = () => last.get(key) === mine && last.delete(key)
    mine.then(forget, forget)
    return mine
  }
}

/** Works on all items, at most `most` at once. After a failure no more are begun; it is thrown when those under way are over. */
export async function forAll<T>(items: Iterable<T>, most: number, work: (item: T) => Promise<void>) {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    for (let next = left.next(); !next.done && !failures.length; next = left.next())
      await work(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: most }, worker))
  if (failures.length) throw failures[0]
}
