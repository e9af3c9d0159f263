import * as v from 'valibot'
import {
  emailSchema,
  endpoint,
  isoTime,
  noInputSchema,
  optionalText,
  outcomeSchema,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { isPasswordRepeated, passwordSchema } from '#core/secrets/password-schemas.ts'

const proofSchema = v.object({
  code: optionalText(100),
  recovery_code: optionalText(100),
})

export const sessionSchema = v.object({
  /** SHA-256 of the token, which does not reveal the token. */
  id: v.string(),
  /** Such as `Firefox · Linux`; null if unknown. */
  device: v.nullable(v.string()),
  /** IPv4 address or IPv6 /64; null if unknown. */
  network: v.nullable(v.string()),
  created_at: isoTime,
  /** Updated at most once a day, when the server also renews the cookies. */
  last_used_at: isoTime,
  is_current: v.boolean(),
})
export type ListedSession = v.InferOutput<typeof sessionSchema>

const SecurityEvent = v.object({
  id: v.number(),
  /** Such as `logged_in`: see `SecurityEventKind` in features/people/security-event-kinds.ts. */
  kind: v.string(),
  /** An admin or a moderator, and not the member, caused the event. */
  by_admin: v.boolean(),
  network: v.nullable(v.string()),
  created_at: isoTime,
})

const newPasswordFields = {
  password: passwordSchema(8),
  password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
}

const PasswordChange = v.pipe(
  v.object({ current_password: passwordSchema(1), ...newPasswordFields }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], isPasswordRepeated, 'confirmed'), [
    'password',
  ]),
)

/** A malformed token becomes empty, so that the endpoint answers as for any wrong token. */
const linkToken = v.fallback(v.pipe(v.string(), v.maxLength(100)), '')

/** The token of a mail, or the address or handle (both in `email`) with a code. */
const PasswordReset = v.pipe(
  v.object({
    token: optionalText(100),
    email: optionalText(255),
    /** A recovery code, or a code that an admin has given. */
    code: optionalText(100),
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
  v.forward(v.partialCheck([['password'], ['password_confirmation']], isPasswordRepeated, 'confirmed'), [
    'password',
  ]),
)

export const accountSchemas = {
  /**
   * The address or the handle is in `email`. 204 starts a session; 200, if there is a second step, starts
   * none: the client then calls `secondStep.challenge`. Laravel Fortify responds in the same way.
   */
  logIn: endpoint(
    'anyone',
    v.object({ email: requiredText(255), password: passwordSchema(1) }),
    v.optional(v.object({ two_factor: v.literal(true) })),
    {
      status: 204,
      // network-guesses.ts bounds wrong passwords. Here, one person could use up the log-ins of all behind an
      // address.
      limits: [],
      errorStatuses: [403],
    },
  ),
  /** The response is the same for every address, so that it does not show who has an account. */
  forgotPassword: endpoint('anyone', v.object({ email: emailSchema }), outcomeSchema, {
    limits: [
      { max: 120, by: 'address' },
      { max: 3, by: { field: 'email' } },
    ],
  }),
  /** Ends all sessions of the account. One error for all wrong links, and one for all wrong codes. */
  resetPassword: endpoint('anyone', PasswordReset, outcomeSchema, {
    limits: [
      { max: 600, by: 'address' },
      // High, because strangers could use it up, and the owner could not use a valid code.
      { max: 600, by: { field: 'email' } },
    ],
  }),
  /** Sensitive endpoints respond with 423 if the last confirmation is more than ten minutes old. */
  confirm: endpoint(
    'member',
    v.object({ password: passwordSchema(1), ...proofSchema.entries }),
    v.undefined(),
    { status: 204, limits: [{ max: 10, by: 'account' }], errorStatuses: [403] },
  ),
  /** Ends all other sessions of the member. */
  changePassword: endpoint('member', PasswordChange, outcomeSchema, {
    limits: [{ max: 10, by: 'account' }],
  }),
  sessions: endpoint('member', noInputSchema, v.array(sessionSchema)),
  endSession: endpoint('member', v.object({ id: requiredText(64) }), v.undefined(), {
    status: 204,
    needsConfirmation: true,
  }),
  endOtherSessions: endpoint('member', noInputSchema, v.object({ ended: v.number() }), {
    needsConfirmation: true,
  }),
  recoveryCodes: endpoint('member', noInputSchema, v.object({ left: v.number() })),
  /** Only this response contains the new codes, which replace the old ones. */
  createRecoveryCodes: endpoint('member', noInputSchema, v.object({ codes: v.array(v.string()) }), {
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Newest event first. */
  securityEvents: endpoint('member', v.object(pageFields(20, 100)), v.array(SecurityEvent), {
    paginated: true,
  }),
  /** Null if none waits. */
  pendingEmail: endpoint('member', noInputSchema, v.object({ pending: v.nullable(v.string()) })),
  /** Mails a link to the new address. The address changes when the owner opens it and confirms there. */
  changeEmail: endpoint('member', v.object({ email: emailSchema }), outcomeSchema, {
    limits: [{ max: 6, by: 'account' }],
    needsConfirmation: true,
  }),
  cancelEmailChange: endpoint('member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /** With the token of the mail to the new address. */
  verifyEmailChange: endpoint('anyone', v.object({ token: linkToken }), outcomeSchema, {
    limits: [{ max: 20, by: 'address' }],
    errorStatuses: [403],
  }),
  /** With the token of the mail to the old address. */
  undoEmailChange: endpoint('anyone', v.object({ token: linkToken }), outcomeSchema, {
    limits: [{ max: 20, by: 'address' }],
    errorStatuses: [403],
  }),
}

/** `keep` keeps the member's messages, by a “former member”; `delete` deletes them. */
export const messagesSchema = v.picklist(['keep', 'delete'])
export type MessagesChoice = v.InferOutput<typeof messagesSchema>

export const deletionSchema = v.object({
  messages: messagesSchema,
  /** Then only an admin can cancel it. */
  by_admin: v.boolean(),
  created_at: isoTime,
  due_at: isoTime,
})
export type AccountDeletion = v.InferOutput<typeof deletionSchema>

/** 0 for features that are not running. */
export const contentSchema = v.object({
  posts: v.number(),
  /** Without the pictures in replies and messages. */
  pictures: v.number(),
  replies: v.number(),
  private_messages: v.number(),
  group_messages: v.number(),
  groups: v.number(),
  album_pictures: v.number(),
})
export type ContentCounts = v.InferOutput<typeof contentSchema>

export const deletionSchemas = {
  /** The request is null if there is none. */
  state: endpoint(
    'member',
    noInputSchema,
    v.object({ deletion: v.nullable(deletionSchema), content: contentSchema }),
  ),
  /** The server deletes the account a week later. */
  request: endpoint('member', v.object({ messages: messagesSchema }), deletionSchema, {
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Does nothing if no deletion is requested. 403 if an admin requested it. */
  keep: endpoint('member', noInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
  }),
}

const TokenInput = v.object({ token: requiredText(100) })

const DeviceLinkState = v.object({
  state: v.picklist(['open', 'used', 'ended']),
  /**
   * Null without a link. A page compares it with its own link's time: if the two differ, another link has
   * replaced the one on the page.
   */
  expires_at: v.nullable(isoTime),
})
export type LinkState = v.InferOutput<typeof DeviceLinkState>

// A link cannot be guessed. The limit only bounds the load.
const limits = [{ max: 600, by: 'address' as const }]

/** A device link, scanned as a QR code, logs the member in on another device. */
export const deviceLinkSchemas = {
  /** Deletes the member's earlier link. Only this response contains the new one. */
  create: endpoint('member', noInputSchema, v.object({ link: v.string(), expires_at: isoTime }), {
    status: 201,
    limits: [{ max: 20, by: 'account' }],
    needsConfirmation: true,
  }),
  state: endpoint('member', noInputSchema, DeviceLinkState),
  cancel: endpoint('member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /** 422 for a token that is unknown, used or expired. */
  check: endpoint('anyone', TokenInput, v.object({ name: v.string(), handle: v.string() }), { limits }),
  /** Logs this browser in as the member who created the link. 403 if the account is suspended. */
  use: endpoint('anyone', TokenInput, v.undefined(), {
    status: 204,
    limits,
    errorStatuses: [403],
  }),
}

/** One-time codes of an authenticator app (RFC 6238). */
export const secondStepSchemas = {
  challenge: endpoint('anyone', proofSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 600, by: 'address' }],
    errorStatuses: [403],
  }),
  /** Null if it is off. */
  state: endpoint('member', noInputSchema, v.object({ confirmed_at: v.nullable(isoTime) })),
  /** The second step stays off until the member sends a code of the app to `confirm`. */
  start: endpoint(
    'member',
    noInputSchema,
    v.object({
      /** In Base32, to type into the app. */
      secret: v.string(),
      /** An `otpauth:` URL, for a QR code. */
      address: v.string(),
    }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  /** The new recovery codes replace older ones. */
  confirm: endpoint(
    'member',
    v.object({ code: requiredText(100) }),
    v.object({ recovery_codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [403], needsConfirmation: true },
  ),
  remove: endpoint('member', proofSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 10, by: 'account' }],
    errorStatuses: [403],
    needsConfirmation: true,
  }),
}
