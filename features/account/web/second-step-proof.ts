/**
 * Returns the input field of the API for a typed proof of the second step: `code` or `recovery_code`.
 * Codes of the app have six digits; recovery codes are longer.
 */
export const toOneTimeOrRecoveryCodeInput = (typed: string) =>
  typed.normalize('NFKC').replace(/\s/g, '').length <= 6 ? { code: typed } : { recovery_code: typed }
