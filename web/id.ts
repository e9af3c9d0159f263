/**
 * Returns a random id: 128 bits as hexadecimal digits. Browsers do not offer crypto.randomUUID on plain http.
 */
export const createRandomId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
