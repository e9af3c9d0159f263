/** Full-width digits and signs become those of ASCII. */
export const toPhoneNumber = (given: string) =>
  given
    .normalize('NFKC')
    .replace(/[‐‑–—−ー]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** Digits with spaces, hyphens and brackets, perhaps after a plus sign. */
export const isPhoneNumber = (number: string) =>
  /^\+?[\d ().-]{3,40}$/.test(number) && number.replace(/\D/g, '').length >= 3
