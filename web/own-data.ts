import { delMany, keys } from 'idb-keyval'

// A device stores data for a member in two places: local storage has texts and marks, IndexedDB has pictures
// and messages that were not sent. All keys are `engawa:WHAT:ACCOUNT` or begin with that and a colon.

/** The WHAT of keys whose data waits to be sent: a post, messages, messages that found no connection. */
const unsentParts = ['draft', 'talk', 'outbox']

/** The keys of an account. Empty where storage is forbidden, as in some private windows. */
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

/** Whether the device keeps something that the member wrote and did not send. */
export async function hasUnsent(account: number) {
  const { local, indexed } = await keysOf(account)
  return [...local, ...indexed].some((key) => unsentParts.includes(key.split(':')[1]!))
}

/** Removes everything that the device stores for the member. */
export async function forgetAccount(account: number) {
  const { local, indexed } = await keysOf(account)
  for (const key of local) localStorage.removeItem(key)
  if (indexed.length) await delMany(indexed)
}
