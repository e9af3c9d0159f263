/** Null if the key has no value or storage is forbidden. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** An empty value removes the key. False if storage is full or forbidden. */
export function writeLocal(key: string, value: string): boolean {
  try {
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}
