import { useEffect } from 'react'
import type { Post } from '../contract.ts'
import type { List } from './post-lists.tsx'

/** What had been seen when this visit began, so that the line stays where it is until the page is opened anew. */
const atStart = new Map<string, number | null>()

const read = (key: string) => {
  try {
    return Number(localStorage.getItem(key)) || null
  } catch {
    return null
  }
}
const write = (key: string, newest: number) => {
  try {
    localStorage.setItem(key, String(newest))
  } catch {
    // A full or forbidden storage costs the line, nothing else.
  }
}

/** Where the line “You have seen what follows” stands: before the post of this index; 0 is nowhere, as in the posts of one author. */
export function useOnScreen({ path, author }: List, account: number, rows: readonly Post[]): number {
  const key = `engawa:seen:${account}:${path}`
  if (!atStart.has(key)) atStart.set(key, read(key))
  const newest = rows[0]?.id ?? 0
  useEffect(() => {
    if (!author && newest > (read(key) ?? 0)) write(key, newest)
  }, [author, key, newest])

  const seen = atStart.get(key)
  return seen
    ? Math.max(
        0,
        rows.findIndex((post) => post.id <= seen),
      )
    : 0
}
