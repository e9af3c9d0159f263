import * as v from 'valibot'
import { createRequiredTextSchema, defineEndpoint } from '#core/contract.ts'
import { createPasswordSchema } from '#core/password-contract.ts'
import {
  passkeyAttestationSchema,
  passkeyRegistrationOptionsSchema,
} from '#features/account/passkey-contract.ts'

const CardInput = v.object({ code: createRequiredTextSchema(100) })

/**
 * The rate limit of the endpoints for log-in cards: 150 requests per minute from one IP address. It is high
 * enough for a school class whose pupils all use their cards in the same minute.
 */
const limits = [{ max: 150, by: 'address' as const }]

export const logInCardEndpoints = {
  /**
   * Returns the name and the handle of the member to whom the card with this code belongs. Throws 422 if the
   * code is unknown, used or expired, or if the admin who made the card is no longer an admin.
   */
  check: defineEndpoint(
    'POST /api/cards/check',
    'anyone',
    CardInput,
    v.object({
      name: v.string(),
      handle: v.string(),
      /**
       * The only origin at which the browser can use passkeys; null if the site has no https, so that
       * passkeys work nowhere.
       */
      passkey_origin: v.nullable(v.string()),
    }),
    { limits },
  ),
  /** Returns the options with which the browser creates a passkey for the member to whom the card belongs. */
  passkeyOptions: defineEndpoint(
    'POST /api/cards/passkey-options',
    'anyone',
    CardInput,
    passkeyRegistrationOptionsSchema,
    { limits, errorStatuses: [403] },
  ),
  /**
   * Logs the member of the card in: marks the card as used, and saves the password or the passkey that the
   * member has chosen.
   */
  use: defineEndpoint(
    'POST /api/cards/use',
    'anyone',
    v.pipe(
      v.object({
        code: createRequiredTextSchema(100),
        password: v.optional(createPasswordSchema(8)),
        passkey: v.optional(passkeyAttestationSchema),
      }),
      v.forward(
        v.partialCheck(
          [['password'], ['passkey']],
          ({ password, passkey }) => password !== undefined || passkey !== undefined,
          'required',
        ),
        ['password'],
      ),
    ),
    /**
     * The id of the group whose chat the page opens after the log-in; null if the member has no such group.
     */
    v.object({ group: v.nullable(v.number()) }),
    { limits, errorStatuses: [403] },
  ),
}
