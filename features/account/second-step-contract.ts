import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createRequiredTextSchema,
  defineEndpoint,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

/** The proof of the second step: a one-time code of the authenticator app, or a recovery code. */
export const oneTimeOrRecoveryCodeSchema = v.object({
  code: createOptionalTextSchema(100),
  recovery_code: createOptionalTextSchema(100),
})

/** The second step of the log-in: one-time codes of an authenticator app (RFC 6238). */
export const secondStepEndpoints = {
  /** Finishes a log-in that waits for the second step. */
  challenge: defineEndpoint(
    'POST /two-factor-challenge',
    'anyone',
    oneTimeOrRecoveryCodeSchema,
    v.undefined(),
    {
      status: 204,
      limits: [{ max: 60, by: 'address' }],
      errorStatuses: [403],
    },
  ),
  /** Returns when the second step was turned on; null if it is off. */
  state: defineEndpoint(
    'GET /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({ confirmed_at: v.nullable(isoTimestampSchema) }),
  ),
  /**
   * Creates a secret for an authenticator app. The second step is off until `confirm` is called with a
   * code of the app.
   */
  start: defineEndpoint(
    'POST /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({
      /** The secret in Base32, for typing it into the app. */
      secret: v.string(),
      /** The `otpauth:` address for a QR code. */
      address: v.string(),
    }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /**
   * Turns the second step on with a code of the app. Returns new recovery codes, which replace older ones.
   */
  confirm: defineEndpoint(
    'POST /api/account/one-time-codes/confirm',
    'member',
    v.object({ code: createRequiredTextSchema(100) }),
    v.object({ recovery_codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /** Turns the second step off. */
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
