import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createRequiredTextSchema,
  defineEndpoint,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

/**
 * The schema of a proof for the second step: a one-time code of the authenticator app in `code`, or a
 * recovery code in `recovery_code`.
 */
export const oneTimeOrRecoveryCodeSchema = v.object({
  code: createOptionalTextSchema(100),
  recovery_code: createOptionalTextSchema(100),
})

/** The endpoints of the second step of the log-in: the one-time codes of an authenticator app (RFC 6238). */
export const secondStepEndpoints = {
  /**
   * Finishes a log-in that waits for the second step in this browser, with a one-time code or a recovery
   * code.
   */
  challenge: defineEndpoint(
    'POST /two-factor-challenge',
    'anyone',
    oneTimeOrRecoveryCodeSchema,
    v.undefined(),
    {
      status: 204,
      limits: [{ max: 600, by: 'address' }],
      errorStatuses: [403],
    },
  ),
  /** Returns the time when the member's second step was turned on; null if the second step is off. */
  state: defineEndpoint(
    'GET /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({ confirmed_at: v.nullable(isoTimestampSchema) }),
  ),
  /**
   * Creates a new secret for an authenticator app. The second step stays off until the member sends a code of
   * the app to `confirm`.
   */
  start: defineEndpoint(
    'POST /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({
      /** The secret in Base32, which the member types into the app. */
      secret: v.string(),
      /** The `otpauth:` URL with the secret, which the page shows as a QR code. */
      address: v.string(),
    }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /**
   * Turns the member's second step on with a code of the app. Returns new recovery codes, which replace older
   * ones.
   */
  confirm: defineEndpoint(
    'POST /api/account/one-time-codes/confirm',
    'member',
    v.object({ code: createRequiredTextSchema(100) }),
    v.object({ recovery_codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /**
   * Turns the member's second step off. The member proves with a code that they have the app or a recovery
   * code.
   */
  remove: defineEndpoint(
    'POST /api/account/one-time-codes/remove',
    'member',
    oneTimeOrRecoveryCodeSchema,
    v.undefined(),
    {
      status: 204,
      limits: [{ max: 10, by: 'account' }],
      errorStatuses: [403],
      needsConfirmation: true,
    },
  ),
}
