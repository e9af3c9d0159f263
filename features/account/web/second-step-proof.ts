/**
 * Returns the fields of a typed proof of the second step, for the API. Codes of the app have six digits;
 * recovery codes are longer.
 */
export const toOneTimeOrRecoveryCodeInput = (typed: string) =>
  typed.normalize('NFKC').replace(/\s/g, '').length <= 6 ? { code: typed } : { recovery_code: typed }
