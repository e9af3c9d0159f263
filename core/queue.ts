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
