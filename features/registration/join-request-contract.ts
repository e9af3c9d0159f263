import * as v from 'valibot'
import {
  createNameSchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  emailSchema,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { createPasswordSchema } from '#core/password-contract.ts'

export const MAX_JOIN_ANSWER_LENGTH = 1000
export const MAX_JOIN_REFUSAL_REASON_LENGTH = 500

/**
 * The schema of the state of a request to join. `unverified`: the person has not confirmed the e-mail address
 * with the link of the mail. `waiting`: no admin has decided. `ended`: the request is too old, another
 * request has replaced it, or no request has this token.
 */
const JoinRequestState = v.object({
  state: v.picklist(['unverified', 'waiting', 'approved', 'refused', 'ended']),
})
export type JoinRequestStateResponse = v.InferOutput<typeof JoinRequestState>

/** The schema of a request to join that waits for an admin, as admins see it. */
const JoinRequest = v.object({
  id: v.number(),
  name: v.string(),
  /** Null if the admin has not confirmed their identity lately. */
  email: v.nullable(v.string()),
  /** Whether the person has confirmed the e-mail address with the link that was sent to it. */
  is_verified: v.boolean(),
  /**
   * Whether the browser that has sent the request opened that link. Otherwise the request may be a stranger's,
   * and the person chooses a password by mail at the first log-in.
   */
  is_proven: v.boolean(),
  /** The question of the community that the person has answered; null if it was the standard question. */
  question: v.nullable(v.string()),
  answer: v.string(),
  /** The time when the request became visible to the admins. */
  entered_at: isoTimestampSchema,
})
export type JoinRequestWaitingForAdmin = v.InferOutput<typeof JoinRequest>

/** The schema of an input with a token of a request to join: that of the browser, or that of the mail. */
const Token = v.object({ token: createRequiredTextSchema(100) })

const limitToAddress = (max: number) => ({ limits: [{ max, by: 'address' }] }) as const

export const joinRequestEndpoints = {
  /**
   * Sends a request to join, with which a person asks the admins for an account. The response is the same
   * whether the e-mail address has an account or not.
   */
  create: defineEndpoint(
    'POST /api/join-requests',
    'anyone',
    v.object({
      name: createNameSchema(255),
      email: emailSchema,
      password: createPasswordSchema(8),
      answer: createRequiredTextSchema(MAX_JOIN_ANSWER_LENGTH),
    }),
    v.object({
      /**
       * The token with which the browser reads the state of the request later. Only this response contains
       * the token.
       */
      token: v.string(),
    }),
    { status: 201, errorStatuses: [403], ...limitToAddress(60) },
  ),
  /**
   * Returns the state of a request to join. The endpoint has the method POST, so that no log contains the
   * token.
   */
  state: defineEndpoint(
    'POST /api/join-requests/state',
    'anyone',
    Token,
    JoinRequestState,
    limitToAddress(300),
  ),
  /**
   * Verifies the e-mail address of a request to join with the token of the mail, and shows the request to the
   * admins.
   */
  verify: defineEndpoint('POST /api/join-requests/verify', 'anyone', Token, JoinRequestState, {
    errorStatuses: [403],
    ...limitToAddress(60),
  }),
}

export const joinDecisionEndpoints = {
  /** Lists the requests to join that wait for an admin, the newest first. */
  list: defineEndpoint(
    'GET /api/admin/join-requests',
    'admin',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(JoinRequest),
    { paginated: true },
  ),
  /**
   * Approves a request to join, and creates the account. Responds with 409 if another admin has decided
   * before.
   */
  approve: defineEndpoint(
    'POST /api/admin/join-requests/:id/approve',
    'admin',
    idInputSchema,
    v.object({ user: v.object({ id: v.number(), name: v.string() }) }),
    { errorStatuses: [404, 409], needsConfirmation: true },
  ),
  /**
   * Refuses and deletes a request to join, and tells the person by mail if the address is verified. Responds
   * with 409 if another admin has decided before.
   */
  refuse: defineEndpoint(
    'POST /api/admin/join-requests/:id/refuse',
    'admin',
    v.object({ ...idInputSchema.entries, reason: createOptionalTextSchema(MAX_JOIN_REFUSAL_REASON_LENGTH) }),
    v.undefined(),
    { status: 204, errorStatuses: [404, 409], needsConfirmation: true },
  ),
}
