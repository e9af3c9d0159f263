import { delMany, keys } from 'idb-keyval'

// This file finds the data of a member in the browser: local storage has texts and flags, IndexedDB has
// pictures and unsent messages. Each key is `engawa:KIND:ACCOUNT`, or begins with that and a colon.

/**
 * The kinds of keys that hold unsent data: drafts of posts and replies (`draft`), drafts of messages
 * (`talk`), and messages that the server has not received yet (`outbox`).
 */
const unsentKinds = ['draft', 'talk', 'outbox']

/**
 * Returns the keys in the browser's storage that belong to an account: those in local storage (`local`),
 * and those in IndexedDB (`indexed`). Both lists are empty if storage is forbidden, as in some private
 * windows.
 */
async function keysOf(account: number) {
  const isOwn = (key: unknown): key is string =>
    typeof key === 'string' && new RegExp(`^engawa:[\\w-]+:${account}(:|$)`).test(key)
  const stored = await keys().catch(() => [])
  return { local: Object.keys(localOrNone()).filter(isOwn), indexed: stored.filter(isOwn) as string[] }
}

function localOrNone(): Storage | Record<string, never> {
  try {
    return localStorage
  } catch {
    return {}
  }
}

/** Returns whether the browser stores something that the member wrote and did not send. */
export async function hasUnsentLocalDataOfAccount(account: number) {
  const { local, indexed } = await keysOf(account)
  return [...local, ...indexed].some((key) => unsentKinds.includes(key.split(':')[1]!))
}

/** Removes everything that the browser stores for the member. */
export async function deleteLocalDataOfAccount(account: number) {
  const { local, indexed } = await keysOf(account)
  for (const key of local) localStorage.removeItem(key)
  if (indexed.length) await delMany(indexed)
}
