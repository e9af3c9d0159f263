import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createNameSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

/** A passkey of the member. */
const ListedPasskey = v.object({
  id: v.number(),
  name: v.string(),
  created_at: isoTimestampSchema,
  last_used_at: v.nullable(isoTimestampSchema),
})
export type ListedPasskey = v.InferOutput<typeof ListedPasskey>

/**
 * Creates the schema of a field with bytes in base64url, as WebAuthn's JSON contains them. `max` is the
 * maximum number of characters.
 */
const createBytesSchema = (max: number) =>
  v.pipe(v.string('string'), v.maxLength(max, 'invalid'), v.regex(/^[\w-]+=*$/, 'invalid'))

/**
 * The schema of the result of `navigator.credentials.create()` as JSON (WebAuthn level 3, 5.1.8), with which
 * a browser registers a new passkey.
 */
export const passkeyAttestationSchema = v.object({
  id: createBytesSchema(1400),
  response: v.object({
    clientDataJSON: createBytesSchema(4000),
    attestationObject: createBytesSchema(20_000),
    transports: v.optional(
      createLimitedArraySchema(
        v.pipe(v.string('string'), v.maxLength(20), v.regex(/^[a-z-]+$/, 'invalid')),
        10,
      ),
      [],
    ),
  }),
})
export type PasskeyAttestation = v.InferOutput<typeof passkeyAttestationSchema>

/** The schema of the result of `navigator.credentials.get()` as JSON: the signature of a passkey. */
const PasskeyAssertion = v.object({
  id: createBytesSchema(1400),
  response: v.object({
    clientDataJSON: createBytesSchema(4000),
    authenticatorData: createBytesSchema(4000),
    signature: createBytesSchema(8000),
  }),
})
export type PasskeyAssertion = v.InferOutput<typeof PasskeyAssertion>

const CredentialDescriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.array(v.string()),
})

/** The schema of the options of `navigator.credentials.create()` as JSON. */
export const passkeyRegistrationOptionsSchema = v.object({
  challenge: v.string(),
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
  timeout: v.number(),
  attestation: v.literal('none'),
  excludeCredentials: v.array(CredentialDescriptor),
  authenticatorSelection: v.object({
    residentKey: v.literal('required'),
    requireResidentKey: v.boolean(),
    userVerification: v.literal('required'),
  }),
})

/** The schema of the options of `navigator.credentials.get()` as JSON. */
const AssertionOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('required'),
  allowCredentials: v.array(CredentialDescriptor),
})

export const passkeyEndpoints = {
  /**
   * Lists the passkeys of the member. `origin` is the only address at which the passkeys work; null if the
   * site cannot use passkeys, for example without https.
   */
  list: defineEndpoint(
    'GET /api/account/passkeys',
    'member',
    noInputSchema,
    v.object({ origin: v.nullable(v.string()), passkeys: v.array(ListedPasskey) }),
  ),
  registrationOptions: defineEndpoint(
    'POST /api/account/passkeys/options',
    'member',
    noInputSchema,
    passkeyRegistrationOptionsSchema,
    { limits: [{ max: 20, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /**
   * Adds a passkey to the member's account. If `name` is left out, the passkey is named after the browser and
   * the operating system.
   */
  register: defineEndpoint(
    'POST /api/account/passkeys',
    'member',
    v.object({ name: v.optional(createNameSchema(50)), credential: passkeyAttestationSchema }),
    ListedPasskey,
    { status: 201, limits: [{ max: 20, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  rename: defineEndpoint(
    'PUT /api/account/passkeys/:id',
    'member',
    v.object({ id: idSchema, name: createNameSchema(50) }),
    ListedPasskey,
  ),
  remove: defineEndpoint('DELETE /api/account/passkeys/:id', 'member', idInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
    needsConfirmation: true,
  }),
  /**
   * Returns the WebAuthn options for a log-in with a passkey. The options name no account, so they do not
   * show whether somebody has an account or a passkey.
   */
  logInOptions: defineEndpoint(
    'POST /api/passkeys/log-in/options',
    'anyone',
    noInputSchema,
    AssertionOptions,
    {
      limits: [{ max: 600, by: 'address' }],
      errorStatuses: [403],
    },
  ),
  logIn: defineEndpoint(
    'POST /api/passkeys/log-in',
    'anyone',
    v.object({ credential: PasskeyAssertion }),
    v.undefined(),
    { status: 204, limits: [{ max: 600, by: 'address' }], errorStatuses: [403] },
  ),
  /**
   * Returns the WebAuthn options for a passkey as the second step of the log-in that waits in this browser.
   */
  challengeOptions: defineEndpoint(
    'POST /two-factor-challenge/passkey/options',
    'anyone',
    noInputSchema,
    AssertionOptions,
    { limits: [{ max: 600, by: 'address' }], errorStatuses: [403] },
  ),
  /** Finishes the log-in that waits for the second step in this browser, with a passkey of the account. */
  challenge: defineEndpoint(
    'POST /two-factor-challenge/passkey',
    'anyone',
    v.object({ credential: PasskeyAssertion }),
    v.undefined(),
    { status: 204, limits: [{ max: 600, by: 'address' }], errorStatuses: [403] },
  ),
  confirmOptions: defineEndpoint(
    'POST /api/account/confirm-passkey/options',
    'member',
    noInputSchema,
    AssertionOptions,
    { limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
  /**
   * Confirms the identity of the member in this session with a passkey, as `accountEndpoints.confirm` does
   * with the password.
   */
  confirm: defineEndpoint(
    'POST /api/account/confirm-passkey',
    'member',
    v.object({ credential: PasskeyAssertion }),
    v.undefined(),
    { status: 204, limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
}
