import * as v from 'valibot'
import {
  createRequiredTextSchema,
  defineEndpoint,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

const TokenInput = v.object({ token: createRequiredTextSchema(100) })

const DeviceLinkState = v.object({
  state: v.picklist(['open', 'used', 'ended']),
  /**
   * The time when the newest link expires; null if there is no link. The page that shows a link compares
   * this time with the end of its own link. If the two differ, another link has replaced the one on the
   * page.
   */
  expires_at: v.nullable(isoTimestampSchema),
})
export type DeviceLogInLinkState = v.InferOutput<typeof DeviceLinkState>

const limits = [{ max: 60, by: 'address' as const }]

/** A device link logs the member in on another device, which scans it as a QR code. */
export const deviceLogInLinkEndpoints = {
  /** Creates a link, and deletes the member's earlier link. Only this response contains the new link. */
  create: defineEndpoint(
    'POST /api/account/device-link',
    'member',
    noInputSchema,
    v.object({ link: v.string(), expires_at: isoTimestampSchema }),
    { status: 201, limits: [{ max: 20, by: 'account' }], needsConfirmation: true },
  ),
  /** Returns whether the member's newest link is still open, was used, or has ended without a use. */
  state: defineEndpoint('GET /api/account/device-link', 'member', noInputSchema, DeviceLinkState),
  /** Ends the member's link. */
  cancel: defineEndpoint('DELETE /api/account/device-link', 'member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /** Returns whose link it is. Throws 422 for a token that is unknown, used or expired. */
  check: defineEndpoint(
    'POST /api/device-links/check',
    'anyone',
    TokenInput,
    v.object({ name: v.string(), handle: v.string() }),
    { limits },
  ),
  /** Uses the link: logs this browser in. Throws 403 if the account is suspended. */
  use: defineEndpoint('POST /api/device-links/use', 'anyone', TokenInput, v.undefined(), {
    status: 204,
    limits,
    errorStatuses: [403],
  }),
}
