import { useState } from 'react'

type Key = string | number

/**
 * Keys for elements that consist of several things and grow at both ends: an element keeps its key
 * as long as it contains any of the things that it contained before.
 */
export function useStableKeys() {
  const [keys] = useState(() => new Map<Key, Key>())
  const used = new Set<Key>()
  return (contents: readonly Key[]) => {
    const isFree = (key: Key | undefined) => key !== undefined && !used.has(key)
    // An element that was split in two keeps its key for the first half.
    const key = contents.map((one) => keys.get(one)).find(isFree) ?? contents.find(isFree) ?? 0
    for (const one of contents) keys.set(one, key)
    used.add(key)
    return key
  }
}
