import * as v from 'valibot'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

/** The frequency of digests. A digest is a mail that tells a member who is away what is new. */
export const digestFrequencySchema = v.picklist(['never', 'weekly', 'daily'], 'invalid')
export type DigestFrequency = v.InferOutput<typeof digestFrequencySchema>

const DigestSettings = v.object({
  frequency: digestFrequencySchema,
  /** Whether the member has a verified email address. Without one, the server sends the member no digests. */
  has_verified_email: v.boolean(),
})
export type DigestSettings = v.InferOutput<typeof DigestSettings>

const TOKEN_PATTERN = /^\d{1,15}\.[\w-]{43}$/

export const digestEndpoints = {
  settings: defineEndpoint('GET /api/digest', 'member', noInputSchema, DigestSettings),
  save: defineEndpoint(
    'PUT /api/digest',
    'member',
    v.object({ frequency: digestFrequencySchema }),
    DigestSettings,
  ),
  /**
   * Sets the digest frequency of the member to whom the token was mailed to `never`. Mail programs call
   * this endpoint without a session (RFC 8058), so it needs no anti-forgery token. A GET of the same
   * address shows a page with a button.
   */
  unsubscribe: defineEndpoint(
    'POST /digest/unsubscribe/:token',
    'anyone',
    v.object({ token: v.pipe(v.string('string'), v.regex(TOKEN_PATTERN, 'invalid')) }),
    v.void(),
    { status: 204, acceptsForm: true, needsNoCsrfToken: true, limits: [{ max: 30, by: 'address' }] },
  ),
}
