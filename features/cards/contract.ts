import * as v from 'valibot'
import { createPasswordSchema, createRequiredTextSchema, defineEndpoint } from '#core/contract.ts'
import {
  passkeyAttestationSchema,
  passkeyRegistrationOptionsSchema,
} from '#features/account/passkey-contract.ts'

const CardInput = v.object({ code: createRequiredTextSchema(100) })

/**
 * The limit of requests in a minute from one address. It is high enough for a school class whose pupils all
 * use their cards in the same minute.
 */
const limits = [{ max: 150, by: 'address' as const }]

export const logInCardEndpoints = {
  /**
   * Returns whose card it is. Throws 422 if the code is unknown, used or expired, or if its maker is no
   * longer an admin.
   */
  check: defineEndpoint(
    'POST /api/cards/check',
    'anyone',
    CardInput,
    v.object({
      name: v.string(),
      handle: v.string(),
      /** The only address at which passkeys work; null if they work nowhere (no https). */
      passkey_origin: v.nullable(v.string()),
    }),
    { limits },
  ),
  /** Returns the options with which the browser creates a passkey for the member of the card. */
  passkeyOptions: defineEndpoint(
    'POST /api/cards/passkey-options',
    'anyone',
    CardInput,
    passkeyRegistrationOptionsSchema,
    { limits, errorStatuses: [403] },
  ),
  /** Uses the card: saves the password or the passkey, and logs in. */
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
    /** The id of the group whose chat opens after the log-in; null without a group. */
    v.object({ group: v.nullable(v.number()) }),
    { limits, errorStatuses: [403] },
  ),
}
