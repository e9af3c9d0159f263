import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  emailSchema,
  isoTimestampSchema,
  noInputSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import { createPasswordSchema, isPasswordRepeated } from '#core/password-contract.ts'
import { oneTimeOrRecoveryCodeSchema } from './second-step-contract.ts'

/** The schema of one of the member's sessions. A session is a browser that is logged in to the account. */
export const listedSessionSchema = v.object({
  /** The id of the session: the SHA-256 of its token, which does not reveal the token. */
  id: v.string(),
  /**
   * The browser and the operating system of the session, such as `Firefox · Linux`; null if they are unknown.
   */
  device: v.nullable(v.string()),
  /** The network (IPv4 address or IPv6 /64) from which the member logged in; null if it is unknown. */
  network: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  /**
   * The time when the session was last used. The server updates this time at most once a day, when it also
   * renews the cookies of the browser.
   */
  last_used_at: isoTimestampSchema,
  is_current: v.boolean(),
})
export type ListedSession = v.InferOutput<typeof listedSessionSchema>

/** The schema of one event in the member's security log. */
const SecurityEvent = v.object({
  id: v.number(),
  /**
   * The kind of the event, such as `logged_in`: see `SecurityEventKind` in
   * features/people/security-event-kinds.ts.
   */
  kind: v.string(),
  /** Whether an admin or a moderator, and not the member, caused the event. */
  by_admin: v.boolean(),
  network: v.nullable(v.string()),
  created_at: isoTimestampSchema,
})

/** The input fields with which a client sends a new password: the password and its repetition. */
const newPasswordFields = {
  password: createPasswordSchema(8),
  password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
}

const PasswordChange = v.pipe(
  v.object({ current_password: createPasswordSchema(1), ...newPasswordFields }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], isPasswordRepeated, 'confirmed'), [
    'password',
  ]),
)

/**
 * The schema of a token from a link in a mail. A malformed token becomes an empty text, so that the endpoint
 * answers as for any wrong token.
 */
const linkToken = v.fallback(v.pipe(v.string(), v.maxLength(100)), '')

/**
 * The schema of the input that sets a new password: the password, with either the token of a mail, or the
 * e-mail address or the handle of the account (either of them is sent in `email`) and a code.
 */
const PasswordReset = v.pipe(
  v.object({
    token: createOptionalTextSchema(100),
    email: createOptionalTextSchema(255),
    /**
     * The code that proves who the person is: a recovery code, or a code that an admin has given to the
     * member.
     */
    code: createOptionalTextSchema(100),
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

export const accountEndpoints = {
  /**
   * Checks the password of the account with this e-mail address or handle (either of them is sent in
   * `email`). If the account has no second step, starts a session and responds with 204. If it has one,
   * starts no session and responds with 200: the client then calls `secondStep.challenge` to finish the
   * log-in. Laravel Fortify responds in the same way.
   */
  logIn: defineEndpoint(
    'POST /login',
    'anyone',
    v.object({ email: createRequiredTextSchema(255), password: createPasswordSchema(1) }),
    v.optional(v.object({ two_factor: v.literal(true) })),
    {
      status: 204,
      // network-guesses.ts bounds wrong passwords. A limit of tries here would let one person behind an
      // address use up the log-ins of all.
      limits: [],
      errorStatuses: [403],
    },
  ),
  /**
   * Sends a mail with a link that sets a new password, if the e-mail address belongs to an account. The
   * response is the same for every address, so that it does not show who has an account.
   */
  forgotPassword: defineEndpoint(
    'POST /forgot-password',
    'anyone',
    v.object({ email: emailSchema }),
    outcomeSentenceResponseSchema,
    {
      limits: [
        { max: 120, by: 'address' },
        { max: 3, by: { field: 'email' } },
      ],
    },
  ),
  /**
   * Sets a new password and ends all sessions of the account. The error is the same for all wrong links, and
   * the same for all wrong codes.
   */
  resetPassword: defineEndpoint(
    'POST /reset-password',
    'anyone',
    PasswordReset,
    outcomeSentenceResponseSchema,
    {
      limits: [
        { max: 600, by: 'address' },
        // The limit of attempts for one e-mail address or handle is high: otherwise strangers could use it
        // up, and the owner could not use a valid code.
        { max: 600, by: { field: 'email' } },
      ],
    },
  ),
  /**
   * Confirms the identity of the member in this session with the password and, if the second step is on, with
   * a code. Sensitive endpoints respond with 423 if the last confirmation is more than ten minutes old.
   */
  confirm: defineEndpoint(
    'POST /api/account/confirm',
    'member',
    v.object({ password: createPasswordSchema(1), ...oneTimeOrRecoveryCodeSchema.entries }),
    v.undefined(),
    { status: 204, limits: [{ max: 10, by: 'account' }], errorStatuses: [403] },
  ),
  /** Changes the member's password, and ends all sessions of the member except the current one. */
  changePassword: defineEndpoint(
    'PUT /api/account/password',
    'member',
    PasswordChange,
    outcomeSentenceResponseSchema,
    {
      limits: [{ max: 10, by: 'account' }],
    },
  ),
  sessions: defineEndpoint(
    'GET /api/account/sessions',
    'member',
    noInputSchema,
    v.array(listedSessionSchema),
  ),
  endSession: defineEndpoint(
    'DELETE /api/account/sessions/:id',
    'member',
    v.object({ id: createRequiredTextSchema(64) }),
    v.undefined(),
    { status: 204, needsConfirmation: true },
  ),
  endOtherSessions: defineEndpoint(
    'DELETE /api/account/sessions',
    'member',
    noInputSchema,
    v.object({ ended: v.number() }),
    { needsConfirmation: true },
  ),
  /** Returns how many unused recovery codes the member has. */
  recoveryCodes: defineEndpoint(
    'GET /api/account/recovery-codes',
    'member',
    noInputSchema,
    v.object({ left: v.number() }),
  ),
  /**
   * Replaces the member's recovery codes by new ones. Only the response to this request contains the new
   * codes.
   */
  createRecoveryCodes: defineEndpoint(
    'POST /api/account/recovery-codes',
    'member',
    noInputSchema,
    v.object({ codes: v.array(v.string()) }),
    { limits: [{ max: 10, by: 'account' }], needsConfirmation: true },
  ),
  /** Returns a page of the member's security log, newest event first. */
  securityEvents: defineEndpoint(
    'GET /api/account/security-events',
    'member',
    v.object(createPaginationParameterFields(20, 100)),
    v.array(SecurityEvent),
    { paginated: true },
  ),
  /** Returns the new e-mail address that the member has not verified yet; null if there is none. */
  pendingEmail: defineEndpoint(
    'GET /api/account/email',
    'member',
    noInputSchema,
    v.object({ pending: v.nullable(v.string()) }),
  ),
  /**
   * Requests a change of the member's e-mail address: mails a link to the new address. The address changes
   * when the owner opens the link and confirms the change there.
   */
  changeEmail: defineEndpoint(
    'POST /api/account/email',
    'member',
    v.object({ email: emailSchema }),
    outcomeSentenceResponseSchema,
    { limits: [{ max: 6, by: 'account' }], needsConfirmation: true },
  ),
  cancelEmailChange: defineEndpoint('DELETE /api/account/email', 'member', noInputSchema, v.undefined(), {
    status: 204,
  }),
  /** Completes the change of an e-mail address with the token of the mail to the new address. */
  verifyEmailChange: defineEndpoint(
    'POST /api/account/email/verify',
    'anyone',
    v.object({ token: linkToken }),
    outcomeSentenceResponseSchema,
    { limits: [{ max: 20, by: 'address' }], errorStatuses: [403] },
  ),
  /** Undoes the change of an e-mail address with the token of the mail to the old address. */
  undoEmailChange: defineEndpoint(
    'POST /api/account/email/undo',
    'anyone',
    v.object({ token: linkToken }),
    outcomeSentenceResponseSchema,
    { limits: [{ max: 20, by: 'address' }], errorStatuses: [403] },
  ),
}
