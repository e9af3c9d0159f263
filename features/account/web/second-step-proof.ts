/** Codes of the app have six digits; recovery codes are longer. */
export const toProof = (typed: string) =>
  typed.normalize('NFKC').replace(/\s/g, '').length <= 6 ? { code: typed } : { recovery_code: typed }
