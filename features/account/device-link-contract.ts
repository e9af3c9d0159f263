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
   * The time when the member's newest link expires; null if there is no link. The page that shows a link
   * compares this time with the time when its own link expires. If the two differ, another link has replaced
   * the one on the page.
   */
  expires_at: v.nullable(isoTimestampSchema),
})
export type DeviceLogInLinkStateAndExpiry = v.InferOutput<typeof DeviceLinkState>

// A link cannot be guessed. The limit only bounds the load.
const limits = [{ max: 600, by: 'address' as const }]

/**
 * The endpoints of device links. A device link logs the member in on another device, which scans the link as
 * a QR code.
 */
export const deviceLogInLinkEndpoints = {
  /**
   * Creates a device link of the member, and deletes the member's earlier link. Only the response to this
   * request contains the new link.
   */
  create: defineEndpoint(
    'POST /api/account/device-link',
    'member',
    noInputSchema,
    v.object({ link: v.string(), expires_at: isoTimestampSchema }),
    { status: 201, limits: [{ max: 20, by: 'account' }], needsConfirmation: true },
  ),
  /**
   * Returns whether the member's newest device link is still open, was used, or has ended without being used.
   */
  state: defineEndpoint('GET /api/account/device-link', 'member', noInputSchema, DeviceLinkState),
  /** Ends the member's link. */
  cancel: defineEndpoint('DELETE /api/account/device-link', 'member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /**
   * Returns the name and the handle of the member who created the device link with this token. Throws 422 for
   * a token that is unknown, used or expired.
   */
  check: defineEndpoint(
    'POST /api/device-links/check',
    'anyone',
    TokenInput,
    v.object({ name: v.string(), handle: v.string() }),
    { limits },
  ),
  /**
   * Uses a device link: logs this browser in as the member who created the link. Throws 403 if the account is
   * suspended.
   */
  use: defineEndpoint('POST /api/device-links/use', 'anyone', TokenInput, v.undefined(), {
    status: 204,
    limits,
    errorStatuses: [403],
  }),
}
