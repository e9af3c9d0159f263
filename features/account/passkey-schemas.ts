import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  shortName,
} from '#core/schemas.ts'

const ListedPasskey = v.object({
  id: v.number(),
  name: v.string(),
  created_at: isoTime,
  last_used_at: v.nullable(isoTime),
})
export type ListedPasskey = v.InferOutput<typeof ListedPasskey>

/** Base64url, as in WebAuthn's JSON. `max` is in characters. */
const createBytesSchema = (max: number) =>
  v.pipe(v.string('string'), v.maxLength(max, 'invalid'), v.regex(/^[\w-]+=*$/, 'invalid'))

/** Result of `navigator.credentials.create()` as JSON (WebAuthn level 3, 5.1.8). */
export const attestationSchema = v.object({
  id: createBytesSchema(1400),
  response: v.object({
    clientDataJSON: createBytesSchema(4000),
    attestationObject: createBytesSchema(20_000),
    transports: v.optional(
      limitedArray(v.pipe(v.string('string'), v.maxLength(20), v.regex(/^[a-z-]+$/, 'invalid')), 10),
      [],
    ),
  }),
})
export type Attestation = v.InferOutput<typeof attestationSchema>

/** Result of `navigator.credentials.get()` as JSON: the signature. */
const Assertion = v.object({
  id: createBytesSchema(1400),
  response: v.object({
    clientDataJSON: createBytesSchema(4000),
    authenticatorData: createBytesSchema(4000),
    signature: createBytesSchema(8000),
  }),
})
export type Assertion = v.InferOutput<typeof Assertion>

const CredentialDescriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.array(v.string()),
})

/** Options of `navigator.credentials.create()` as JSON. */
export const creationSchema = v.object({
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

/** Options of `navigator.credentials.get()` as JSON. */
const AssertionOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('required'),
  allowCredentials: v.array(CredentialDescriptor),
})

export const passkeySchemas = {
  /** Passkeys work only at `origin`; null if the site cannot use them, for example without https. */
  list: endpoint(
    'member',
    noInputSchema,
    v.object({ origin: v.nullable(v.string()), passkeys: v.array(ListedPasskey) }),
  ),
  registrationOptions: endpoint('member', noInputSchema, creationSchema, {
    limits: [{ max: 20, by: 'account' }],
    errorStatuses: [403],
    needsConfirmation: true,
  }),
  /** Without `name`, named after the browser and the operating system. */
  register: endpoint(
    'member',
    v.object({ name: v.optional(shortName(50)), credential: attestationSchema }),
    ListedPasskey,
    { status: 201, limits: [{ max: 20, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  rename: endpoint('member', v.object({ id: idSchema, name: shortName(50) }), ListedPasskey),
  remove: endpoint('member', idInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
    needsConfirmation: true,
  }),
  /** They name no account, so they do not show whether somebody has an account or a passkey. */
  logInOptions: endpoint('anyone', noInputSchema, AssertionOptions, {
    limits: [{ max: 600, by: 'address' }],
    errorStatuses: [403],
  }),
  logIn: endpoint('anyone', v.object({ credential: Assertion }), v.undefined(), {
    status: 204,
    limits: [{ max: 600, by: 'address' }],
    errorStatuses: [403],
  }),
  challengeOptions: endpoint('anyone', noInputSchema, AssertionOptions, {
    limits: [{ max: 600, by: 'address' }],
    errorStatuses: [403],
  }),
  challenge: endpoint('anyone', v.object({ credential: Assertion }), v.undefined(), {
    status: 204,
    limits: [{ max: 600, by: 'address' }],
    errorStatuses: [403],
  }),
  confirmOptions: endpoint('member', noInputSchema, AssertionOptions, {
    limits: [{ max: 20, by: 'account' }],
    errorStatuses: [403],
  }),
  /** As `accountEndpoints.confirm` does with the password. */
  confirm: endpoint('member', v.object({ credential: Assertion }), v.undefined(), {
    status: 204,
    limits: [{ max: 20, by: 'account' }],
    errorStatuses: [403],
  }),
}
