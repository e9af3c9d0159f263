/** Reads a key of the local storage. Null where it has no value, or storage is forbidden. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a value, or forgets it where it is empty. Returns false where storage is full or forbidden. */
export function writeLocal(key: string, value: string): boolean {
  try {
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}
