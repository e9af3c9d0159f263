import { readLocal, writeLocal } from '#web/local-storage.ts'
import { createStore, useStore } from '#web/store.ts'

// Recent searches stay on this device. web/local-data.ts deletes them at the log-out.

const MAX = 8
const keyOf = (account: number) => `engawa:searches:${account}`
const changes = createStore(0)

function list(account: number): readonly string[] {
  try {
    const found: unknown = JSON.parse(readLocal(keyOf(account)) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export function useRecent(account: number) {
  useStore(changes)
  return list(account)
}

function write(account: number, queries: readonly string[]) {
  writeLocal(keyOf(account), queries.length ? JSON.stringify(queries.slice(0, MAX)) : '')
  changes.set(changes.get() + 1)
}

const without = (account: number, q: string) => list(account).filter((one) => one !== q)
export const add = (account: number, q: string) => q && write(account, [q, ...without(account, q)])
export const remove = (account: number, q: string) => write(account, without(account, q))
export const clear = (account: number) => write(account, [])
