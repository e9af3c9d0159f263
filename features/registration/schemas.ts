import * as v from 'valibot'
import { settingsSchema } from '#core/community/settings-schemas.ts'
import {
  emailSchema,
  endpoint,
  idInputSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  noInputSchema,
  optionalReading,
  optionalText,
  pageFields,
  requiredText,
  shortName,
} from '#core/schemas.ts'
import { isPasswordRepeated, passwordSchema } from '#core/secrets/password-schemas.ts'
import { listedUserSchema, personSchema } from '#features/people/schemas.ts'
import {
  INVITATION_DAYS,
  MAX_ADMIN_USES,
  MAX_ANSWER_LENGTH,
  MAX_INVITATION_DAYS,
  MAX_MEMBER_USES,
  MAX_REASON_LENGTH,
} from './contract.ts'

/** The answers of the first admin, sent only with a set-up code. */
const SetupAnswers = v.pick(settingsSchema, [
  'community_name',
  'who_can_join',
  'who_can_read',
  'show_samples',
  'default_language',
  'time_zone',
  'new_member_days',
])
export type SetupAnswers = v.InferOutput<typeof SetupAnswers>

const Registration = v.pipe(
  v.object({
    name: shortName(255),
    reading: optionalReading(255),
    email: emailSchema,
    password: passwordSchema(8),
    password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
    setup_code: optionalText(255),
    invitation: optionalText(100),
    ...v.partial(SetupAnswers).entries,
  }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], isPasswordRepeated, 'confirmed'), [
    'password',
  ]),
)

const JoinSettings = v.object({
  who_can_join: settingsSchema.entries.who_can_join,
  /** Null for the standard question, or if nobody can send a request. */
  join_question: v.nullable(v.string()),
})
export type JoinSettings = v.InferOutput<typeof JoinSettings>

export const registrationSchemas = {
  state: endpoint('anyone', noInputSchema, JoinSettings),
  register: endpoint(
    'anyone',
    Registration,
    v.object({
      message: v.string(),
      user: v.object({ id: v.number(), name: v.string(), email: v.string(), created_at: isoTime }),
    }),
    { limits: [{ max: 60, by: 'address' }], errorStatuses: [403] },
  ),
}

export const setupSchemas = {
  /** `done` if the community already has an admin. */
  state: endpoint(
    'anyone',
    v.object({ code: optionalText(255) }),
    v.object({ state: v.picklist(['open', 'wrong_code', 'done']) }),
    { limits: [{ max: 60, by: 'address' }] },
  ),
}

const MAX_MEMBER_DAYS = 30

export const invitationSchema = v.object({
  id: v.number(),
  note: v.nullable(v.string()),
  max_uses: v.number(),
  uses: v.number(),
  /** Null after that member's account has been deleted. */
  created_by: v.nullable(personSchema),
  /** People who register are added to it; null for no group. */
  group_id: v.nullable(v.number()),
  created_at: isoTime,
  expires_at: isoTime,
  is_open: v.boolean(),
  is_used_up: v.boolean(),
  /** The member who made it may not invite people now. */
  is_paused: v.boolean(),
})
export type Invitation = v.InferOutput<typeof invitationSchema>

/** `may_invite`: the settings let members make invitations. */
const OwnInvitations = v.object({ may_invite: v.boolean(), invitations: v.array(invitationSchema) })
export type InvitationsPage = v.InferOutput<typeof OwnInvitations>

export const createdSchema = v.object({
  invitation: invitationSchema,
  /** Only this response contains it, because the server stores only its hash. */
  code: v.string(),
  /** To the registration page, with the code in the fragment. */
  link: v.string(),
})
export type CreatedInvitation = v.InferOutput<typeof createdSchema>

/** `create` works only if the settings let members make invitations; `list` and `end` always work. */
export const ownInvitationSchemas = {
  list: endpoint('member', v.object(pageFields(50, 200)), OwnInvitations, {
    paginated: true,
  }),
  create: endpoint(
    'member',
    v.object({
      note: optionalText(200),
      max_uses: v.pipe(idSchema, v.maxValue(MAX_MEMBER_USES, 'invalid')),
      days: v.optional(v.pipe(idSchema, v.maxValue(MAX_MEMBER_DAYS, 'invalid')), INVITATION_DAYS),
    }),
    createdSchema,
    { status: 201, limits: [{ max: 20, by: 'account' }], errorStatuses: [403] },
  ),
  /** Does nothing if it has ended already. */
  end: endpoint('member', idInputSchema, invitationSchema, {
    errorStatuses: [404],
  }),
}

/** For admins, and the operator at the command line. */
export const newInvitationSchema = v.object({
  note: optionalText(200),
  max_uses: v.pipe(idSchema, v.maxValue(MAX_ADMIN_USES, 'invalid')),
  days: v.optional(v.pipe(idSchema, v.maxValue(MAX_INVITATION_DAYS, 'invalid')), INVITATION_DAYS),
})

export const invitationSchemas = {
  /** 204, or the same 422 for all codes that are not valid. */
  check: endpoint('anyone', v.object({ invitation: requiredText(100) }), v.undefined(), {
    status: 204,
    limits: [{ max: 30, by: 'address' }],
  }),
  list: endpoint('admin', v.object(pageFields(50, 200)), v.array(invitationSchema), { paginated: true }),
  create: endpoint(
    'admin',
    v.object({
      ...newInvitationSchema.entries,
      /** The admin belongs to it. People who register are added to it. */
      group_id: v.optional(idOrEmpty),
    }),
    createdSchema,
    { status: 201, limits: [{ max: 60, by: 'account' }], needsConfirmation: true },
  ),
  /** Does nothing if it has ended already. */
  end: endpoint('admin', idInputSchema, invitationSchema, {
    errorStatuses: [404],
    needsConfirmation: true,
  }),
  /** Ordered by id. */
  members: endpoint(
    'admin',
    v.object({ ...idInputSchema.entries, ...pageFields(100, 500) }),
    v.array(listedUserSchema),
    { paginated: true, errorStatuses: [404] },
  ),
}

/**
 * `unverified`: the link of the mail was not opened. `waiting`: no admin has decided. `ended`: too old,
 * replaced by another request, or no request has this token.
 */
const JoinRequestState = v.object({
  state: v.picklist(['unverified', 'waiting', 'approved', 'refused', 'ended']),
})
export type JoinState = v.InferOutput<typeof JoinRequestState>

const JoinRequest = v.object({
  id: v.number(),
  name: v.string(),
  /** How the name is read. */
  reading: v.nullable(v.string()),
  /** Null if the admin has not confirmed their identity lately. */
  email: v.nullable(v.string()),
  /** With the link that was sent to it. */
  is_verified: v.boolean(),
  /**
   * The browser that sent the request opened the link. Otherwise it may be a stranger's, and the person
   * chooses a password by mail at the first log-in.
   */
  is_proven: v.boolean(),
  /** Null if it was the standard question. */
  question: v.nullable(v.string()),
  answer: v.string(),
  /** When it became visible to the admins. */
  entered_at: isoTime,
})
export type WaitingRequest = v.InferOutput<typeof JoinRequest>

/** From the browser, or from the mail. */
const Token = v.object({ token: requiredText(100) })

const limitToAddress = (max: number) => ({ limits: [{ max, by: 'address' }] }) as const

export const joinSchemas = {
  /** The response is the same whether the address has an account or not. */
  create: endpoint(
    'anyone',
    v.object({
      name: shortName(255),
      reading: optionalReading(255),
      email: emailSchema,
      password: passwordSchema(8),
      answer: requiredText(MAX_ANSWER_LENGTH),
    }),
    v.object({
      /** The browser reads the state with it. Only this response contains it. */
      token: v.string(),
    }),
    { status: 201, errorStatuses: [403], ...limitToAddress(60) },
  ),
  /** POST, so that no log contains the token. */
  state: endpoint('anyone', Token, JoinRequestState, limitToAddress(300)),
  /** Also shows the request to the admins. */
  verify: endpoint('anyone', Token, JoinRequestState, {
    errorStatuses: [403],
    ...limitToAddress(60),
  }),
}

export const decisionSchemas = {
  /** The newest first. */
  list: endpoint('admin', v.object(pageFields(50, 200)), v.array(JoinRequest), { paginated: true }),
  /** 409 if another admin has decided before. */
  approve: endpoint(
    'admin',
    idInputSchema,
    v.object({ user: v.object({ id: v.number(), name: v.string() }) }),
    { errorStatuses: [404, 409], needsConfirmation: true },
  ),
  /** Deletes it, and mails the person if the address is verified. 409 if another admin has decided before. */
  refuse: endpoint(
    'admin',
    v.object({ ...idInputSchema.entries, reason: optionalText(MAX_REASON_LENGTH) }),
    v.undefined(),
    { status: 204, errorStatuses: [404, 409], needsConfirmation: true },
  ),
}

const SavedPicture = v.object({
  /** Null without a picture. */
  picture: v.nullable(v.string()),
})

export const pictureSchemas = {
  /** Cuts a square from the centre. */
  save: endpoint('admin', noInputSchema, SavedPicture, {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Does nothing if there is none. */
  remove: endpoint('admin', noInputSchema, SavedPicture, {
    needsConfirmation: true,
  }),
}
