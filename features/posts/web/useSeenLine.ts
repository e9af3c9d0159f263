import { useEffect } from 'react'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import type { Post } from '../contract.ts'

/** The newest post seen before this visit, by list: the line stays until the page is loaded again. */
const seenBefore = new Map<string, number>()

/** The index of the post below “You have seen what follows”; 0 where there is none. */
export function useSeenLine(list: string | null, account: number, rows: readonly Post[]): number {
  const key = `engawa:seen:${account}:${list}`
  if (list && !seenBefore.has(key)) seenBefore.set(key, Number(readLocal(key)))
  const newest = rows[0]?.id ?? 0
  useEffect(() => {
    if (list && newest > Number(readLocal(key))) writeLocal(key, String(newest))
  }, [list, key, newest])

  const seen = seenBefore.get(key)
  const index = seen ? rows.findIndex((post) => post.id <= seen) : 0
  // Below the reader's own new posts alone, a line would say nothing.
  return rows.slice(0, Math.max(0, index)).some(({ user }) => user.id !== account) ? index : 0
}
