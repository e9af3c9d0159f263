/** Null if the key has no value or storage is forbidden. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const times = new Map<string, number>()
const writeListeners = new Set<(key: string) => void>()

/** When this page has written the key last, in ms; 0 for never. */
export const writtenAt = (key: string) => times.get(key) ?? 0

/** Called after each `writeLocal`. Returns a function that removes the listener. */
export function onLocalWrite(listener: (key: string) => void) {
  writeListeners.add(listener)
  return () => writeListeners.delete(listener)
}

/** An empty value removes the key. False if storage is full or forbidden. */
export function writeLocal(key: string, value: string): boolean {
  const isStored = store(key, value)
  times.set(key, Date.now())
  for (const listener of writeListeners) listener(key)
  return isStored
}

function store(key: string, value: string) {
  try {
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}

const forms = new Map<string, (value: string) => void>()

/** The open form of a key gets what `deliver` puts there. Returns a function that ends this. */
export function onDelivery(key: string, take: (value: string) => void) {
  forms.set(key, take)
  return () => void forms.delete(key)
}

/** Writes what the member has written on another device. */
export function deliver(key: string, value: string) {
  store(key, value)
  forms.get(key)?.(value)
}
