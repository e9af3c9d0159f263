/** 128 bits in hexadecimal. Browsers do not offer crypto.randomUUID on plain http. */
export const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
