import * as v from 'valibot'
import { endpoint, noInputSchema } from '#core/schemas.ts'

/** A digest is a mail that tells a member who is away what is new. */
export const frequencySchema = v.picklist(['never', 'weekly', 'daily'], 'invalid')
export type DigestFrequency = v.InferOutput<typeof frequencySchema>

const DigestSettings = v.object({
  frequency: frequencySchema,
  /** Without one, the server sends no digests. */
  has_verified_email: v.boolean(),
})
export type DigestSettings = v.InferOutput<typeof DigestSettings>

const TOKEN_PATTERN = /^\d{1,15}\.[\w-]{43}$/

export const digestSchemas = {
  settings: endpoint('member', noInputSchema, DigestSettings),
  save: endpoint('member', v.object({ frequency: frequencySchema }), DigestSettings),
  /**
   * Mail programs call this without a session (RFC 8058), so it needs no anti-forgery token. A GET of the
   * same address shows a page with a button.
   */
  unsubscribe: endpoint(
    'anyone',
    v.object({ token: v.pipe(v.string('string'), v.regex(TOKEN_PATTERN, 'invalid')) }),
    v.void(),
    { status: 204, acceptsForm: true, needsNoCsrfToken: true, limits: [{ max: 30, by: 'address' }] },
  ),
}
