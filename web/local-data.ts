import { delMany, keys } from 'idb-keyval'

// Local storage has texts and flags, IndexedDB pictures and unsent messages. Each key is
// `engawa:KIND:ACCOUNT`, or begins with that and a colon.

/** Drafts of posts and replies (`draft`) and messages (`talk`), and messages still to be sent (`outbox`). */
const unsentKinds = ['draft', 'talk', 'outbox']

/** Local storage and IndexedDB. Empty if storage is forbidden, as in some private windows. */
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

/** Something that the member wrote and did not send. */
export async function hasUnsentData(account: number) {
  const { local, indexed } = await keysOf(account)
  return [...local, ...indexed].some((key) => unsentKinds.includes(key.split(':')[1]!))
}

export async function deleteLocalData(account: number) {
  const { local, indexed } = await keysOf(account)
  for (const key of local) localStorage.removeItem(key)
  if (indexed.length) await delMany(indexed)
}
