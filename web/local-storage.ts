/**
 * Returns the value of a key in the browser's local storage, or null if the key has no value or storage is
 * forbidden.
 */
export function readLocalStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/**
 * Stores a value in local storage, or removes the key if the value is empty. Returns false if storage is full
 * or forbidden.
 */
export function writeLocalStorage(key: string, value: string): boolean {
  try {
    if (value) localStorage.setItem(key, value)
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}
