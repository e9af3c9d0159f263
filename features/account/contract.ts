import * as v from 'valibot'
import {
  defineEndpoint,
  emailSchema,
  IdInputSchema,
  idSchema,
  limitedArraySchema,
  nameSchema,
  noInputSchema,
  optionalTextSchema,
  pageParameterFields,
  passwordSchema,
  requiredTextSchema,
  StatusMessageSchema,
  timestampSchema,
} from '#core/contract.ts'

/** A session of the member: one browser that is logged in. */
export const Session = v.object({
  /** The SHA-256 of the session's token, which does not reveal the token. */
  id: v.string(),
  /** The browser and the system, such as `Firefox · Linux`. */
  device: v.nullable(v.string()),
  /** The network of the log-in. */
  network: v.nullable(v.string()),
  created_at: timestampSchema,
  /** When the cookies were last sent, at most once a day. */
  last_used_at: timestampSchema,
  is_current: v.boolean(),
})
export type Session = v.InferOutput<typeof Session>

/** A row of the member's security log. */
const SecurityEvent = v.object({
  id: v.number(),
  /** See `SecurityEventKind` in features/people/tables.ts. */
  kind: v.string(),
  /** Whether an admin caused it. */
  by_admin: v.boolean(),
  network: v.nullable(v.string()),
  created_at: timestampSchema,
})

/**
 * What happens to the member's messages to others: they stay without the author's name, or are deleted too.
 */
export const MessageChoice = v.picklist(['keep', 'delete'])
export type MessageChoice = v.InferOutput<typeof MessageChoice>

/** A request to delete an account. */
export const AccountDeletion = v.object({
  messages: MessageChoice,
  /** Whether an admin requested it. Then only an admin can take it back. */
  by_admin: v.boolean(),
  created_at: timestampSchema,
  /** When the account will be deleted. */
  due_at: timestampSchema,
})
export type AccountDeletion = v.InferOutput<typeof AccountDeletion>

/** Numbers of what a member has written. Fields of features that do not run are 0. */
export const MemberContent = v.object({
  posts: v.number(),
  /** The pictures in the posts. */
  pictures: v.number(),
  private_messages: v.number(),
  group_messages: v.number(),
  groups: v.number(),
})
export type MemberContent = v.InferOutput<typeof MemberContent>

/** The fields of a new password. */
const newPasswordFields = {
  password: passwordSchema(8),
  password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
}

const PasswordChange = v.pipe(
  v.object({ current_password: passwordSchema(1), ...newPasswordFields }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (given) => given.password === given.password_confirmation,
      'confirmed',
    ),
    ['password'],
  ),
)

/** The token of a link in a mail. A malformed one is refused as a wrong one. */
const linkToken = v.fallback(v.pipe(v.string(), v.maxLength(100)), '')

/** What proves the second step: a one-time code of the authenticator app, or a recovery code. */
const SecondStepProof = v.object({
  code: optionalTextSchema(100),
  recovery_code: optionalTextSchema(100),
})

/** A new password with the token of a mail, or with the address of the account and a code. */
const PasswordReset = v.pipe(
  v.object({
    token: optionalTextSchema(100),
    email: optionalTextSchema(255),
    /** A recovery code, or the code that an admin gives to the member. */
    code: optionalTextSchema(100),
    ...newPasswordFields,
  }),
  v.forward(
    v.partialCheck(
      [['token'], ['email']],
      ({ token, email }) => token !== null || email !== null,
      'required',
    ),
    ['email'],
  ),
  v.forward(
    v.partialCheck([['token'], ['code']], ({ token, code }) => token !== null || code !== null, 'required'),
    ['code'],
  ),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (given) => given.password === given.password_confirmation,
      'confirmed',
    ),
    ['password'],
  ),
)

export const accountEndpoints = {
  /**
   * Responds with 204 and a session. If the account has a second step, responds with 200 and without a
   * session: then `secondStep.challenge` finishes the log-in. Laravel Fortify does the same.
   */
  logIn: defineEndpoint(
    'POST /login',
    'anyone',
    v.object({ email: requiredTextSchema(255), password: passwordSchema(1) }),
    v.optional(v.object({ two_factor: v.literal(true) })),
    {
      status: 204,
      limits: [
        { max: 60, by: 'address' },
        { max: 10, by: { field: 'email' } },
      ],
      errorStatuses: [403],
    },
  ),
  /** Sends a mail with a link, if an account has the address. The answer is the same for each address. */
  forgotPassword: defineEndpoint(
    'POST /forgot-password',
    'anyone',
    v.object({ email: emailSchema }),
    StatusMessageSchema,
    {
      limits: [
        { max: 20, by: 'address' },
        { max: 3, by: { field: 'email' } },
      ],
    },
  ),
  /**
   * Sets a new password and ends all sessions. The error is the same for each wrong link, and each wrong
   * code.
   */
  resetPassword: defineEndpoint('POST /reset-password', 'anyone', PasswordReset, StatusMessageSchema, {
    limits: [
      { max: 60, by: 'address' },
      { max: 10, by: { field: 'email' } },
    ],
  }),
  /** Confirms with the password that it is the member. Sensitive calls need this every ten minutes. */
  confirm: defineEndpoint(
    'POST /api/account/confirm',
    'member',
    v.object({ password: passwordSchema(1) }),
    v.undefined(),
    { status: 204, limits: [{ max: 10, by: 'account' }] },
  ),
  /** Changes the password and ends all other sessions. */
  changePassword: defineEndpoint('PUT /api/account/password', 'member', PasswordChange, StatusMessageSchema, {
    limits: [{ max: 10, by: 'account' }],
  }),
  sessions: defineEndpoint('GET /api/account/sessions', 'member', noInputSchema, v.array(Session)),
  endSession: defineEndpoint(
    'DELETE /api/account/sessions/:id',
    'member',
    v.object({ id: requiredTextSchema(64) }),
    v.undefined(),
    { status: 204, errorStatuses: [404, 423] },
  ),
  endOtherSessions: defineEndpoint(
    'DELETE /api/account/sessions',
    'member',
    noInputSchema,
    v.object({ ended: v.number() }),
    { errorStatuses: [423] },
  ),
  /** Returns how many unused recovery codes the member has. */
  recoveryCodes: defineEndpoint(
    'GET /api/account/recovery-codes',
    'member',
    noInputSchema,
    v.object({ left: v.number() }),
  ),
  /** Replaces the member's recovery codes. Only this response contains the new ones. */
  createRecoveryCodes: defineEndpoint(
    'POST /api/account/recovery-codes',
    'member',
    noInputSchema,
    v.object({ codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [423] },
  ),
  /** The member's security log, newest first. */
  securityEvents: defineEndpoint(
    'GET /api/account/security-events',
    'member',
    v.object(pageParameterFields(20, 100)),
    v.array(SecurityEvent),
    { paginated: true },
  ),
  /** Returns the address that waits for its verification. */
  pendingEmail: defineEndpoint(
    'GET /api/account/email',
    'member',
    noInputSchema,
    v.object({ pending: v.nullable(v.string()) }),
  ),
  /** Sends a link to a new address. The change takes effect when somebody opens it. */
  changeEmail: defineEndpoint(
    'POST /api/account/email',
    'member',
    v.object({ email: emailSchema }),
    StatusMessageSchema,
    { limits: [{ max: 6, by: 'account' }], errorStatuses: [423] },
  ),
  cancelEmailChange: defineEndpoint('DELETE /api/account/email', 'member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /** Completes a change with the token of the mail to the new address. */
  verifyEmailChange: defineEndpoint(
    'POST /api/account/email/verify',
    'anyone',
    v.object({ token: linkToken }),
    StatusMessageSchema,
    { limits: [{ max: 20, by: 'address' }], errorStatuses: [403] },
  ),
  /** Undoes a change with the token of the mail to the old address. */
  undoEmailChange: defineEndpoint(
    'POST /api/account/email/undo',
    'anyone',
    v.object({ token: linkToken }),
    StatusMessageSchema,
    { limits: [{ max: 20, by: 'address' }], errorStatuses: [403] },
  ),
}

/** The second step of the log-in: one-time codes of an authenticator app (RFC 6238). */
export const secondStepEndpoints = {
  /** Finishes a log-in that waits for the second step. */
  challenge: defineEndpoint('POST /two-factor-challenge', 'anyone', SecondStepProof, v.undefined(), {
    status: 204,
    limits: [{ max: 60, by: 'address' }],
    errorStatuses: [403],
  }),
  /** Returns when the second step was turned on; null if it is off. */
  state: defineEndpoint(
    'GET /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({ confirmed_at: v.nullable(timestampSchema) }),
  ),
  /** Creates a secret for an authenticator app. The second step is on after `confirm`. */
  start: defineEndpoint(
    'POST /api/account/one-time-codes',
    'member',
    noInputSchema,
    v.object({
      /** In Base32, to type it into the app. */
      secret: v.string(),
      /** The `otpauth:` address for a QR code. */
      address: v.string(),
    }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [423] },
  ),
  /**
   * Turns the second step on with a code of the app. Returns new recovery codes, which replace older ones.
   */
  confirm: defineEndpoint(
    'POST /api/account/one-time-codes/confirm',
    'member',
    v.object({ code: requiredTextSchema(100) }),
    v.object({ recovery_codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [423] },
  ),
  /** Turns the second step off. */
  remove: defineEndpoint(
    'POST /api/account/one-time-codes/remove',
    'member',
    SecondStepProof,
    v.undefined(),
    {
      status: 204,
      limits: [{ max: 10, by: 'account' }],
      errorStatuses: [423],
    },
  ),
}

/** A passkey of the member. */
const ListedPasskey = v.object({
  id: v.number(),
  name: v.string(),
  created_at: timestampSchema,
  last_used_at: v.nullable(timestampSchema),
})
export type ListedPasskey = v.InferOutput<typeof ListedPasskey>

/** Bytes in base64url, as WebAuthn's JSON has them. */
const bytesSchema = (max: number) =>
  v.pipe(v.string('string'), v.maxLength(max, 'invalid'), v.regex(/^[\w-]+=*$/, 'invalid'))

/** The answer of `navigator.credentials.create()` as JSON (WebAuthn level 3, 5.1.8). */
const PasskeyAttestation = v.object({
  id: bytesSchema(1400),
  response: v.object({
    clientDataJSON: bytesSchema(4000),
    attestationObject: bytesSchema(20_000),
    transports: v.optional(
      limitedArraySchema(v.pipe(v.string('string'), v.maxLength(20), v.regex(/^[a-z-]+$/, 'invalid')), 10),
      [],
    ),
  }),
})
export type PasskeyAttestation = v.InferOutput<typeof PasskeyAttestation>

/** The answer of `navigator.credentials.get()` as JSON. */
const PasskeyAssertion = v.object({
  id: bytesSchema(1400),
  response: v.object({
    clientDataJSON: bytesSchema(4000),
    authenticatorData: bytesSchema(4000),
    signature: bytesSchema(8000),
  }),
})
export type PasskeyAssertion = v.InferOutput<typeof PasskeyAssertion>

const CredentialDescriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.array(v.string()),
})

/** The options of `navigator.credentials.create()` as JSON. */
const RegistrationOptions = v.object({
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

/** The options of `navigator.credentials.get()` as JSON. */
const AssertionOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('required'),
  allowCredentials: v.array(CredentialDescriptor),
})

export const passkeyEndpoints = {
  /** `origin` is the only address at which passkeys work; null if they work nowhere (no https). */
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
    RegistrationOptions,
    { limits: [{ max: 20, by: 'account' }], errorStatuses: [403, 423] },
  ),
  /** Without a name, the passkey gets that of the browser and the system. */
  register: defineEndpoint(
    'POST /api/account/passkeys',
    'member',
    v.object({ name: v.optional(nameSchema(50)), credential: PasskeyAttestation }),
    ListedPasskey,
    { status: 201, limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
  rename: defineEndpoint(
    'PUT /api/account/passkeys/:id',
    'member',
    v.object({ id: idSchema, name: nameSchema(50) }),
    ListedPasskey,
  ),
  remove: defineEndpoint('DELETE /api/account/passkeys/:id', 'member', IdInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [423],
  }),
  /** The same for every visitor: it does not say whether there is an account. */
  logInOptions: defineEndpoint(
    'POST /api/passkeys/log-in/options',
    'anyone',
    noInputSchema,
    AssertionOptions,
    {
      limits: [{ max: 60, by: 'address' }],
      errorStatuses: [403],
    },
  ),
  logIn: defineEndpoint(
    'POST /api/passkeys/log-in',
    'anyone',
    v.object({ credential: PasskeyAssertion }),
    v.undefined(),
    { status: 204, limits: [{ max: 60, by: 'address' }], errorStatuses: [403] },
  ),
  confirmOptions: defineEndpoint(
    'POST /api/account/confirm-passkey/options',
    'member',
    noInputSchema,
    AssertionOptions,
    { limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
  /** Confirms with a passkey that it is the member, as `confirm` does with the password. */
  confirm: defineEndpoint(
    'POST /api/account/confirm-passkey',
    'member',
    v.object({ credential: PasskeyAssertion }),
    v.undefined(),
    { status: 204, limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
}

export const deletionEndpoints = {
  /** Returns whether the account will be deleted, and what there is to delete. */
  state: defineEndpoint(
    'GET /api/account/deletion',
    'member',
    noInputSchema,
    v.object({ deletion: v.nullable(AccountDeletion), content: MemberContent }),
  ),
  /** Requests the deletion of the account. It takes place after a week. */
  request: defineEndpoint(
    'DELETE /api/account',
    'member',
    v.object({ messages: MessageChoice }),
    AccountDeletion,
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [423] },
  ),
  /** Takes the request back. Does nothing if there is none. */
  keep: defineEndpoint('POST /api/account/keep', 'member', noInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
  }),
}
