/** 128 random bits in hexadecimal. Browsers hide crypto.randomUUID from pages that came by plain http. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
