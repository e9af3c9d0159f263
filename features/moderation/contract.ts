import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'
import { attachedImageSchema } from '#features/posts/contract.ts'

export const MAX_MODERATION_NOTE_LENGTH = 1000
/** The maximum number of reports that one member can make in 24 hours. */
export const MAX_MODERATION_REPORTS_PER_DAY = 20
/** The maximum number of notices that one response contains. */
export const MAX_MODERATION_NOTICES_PER_RESPONSE = 20

const SubjectKind = v.picklist(['post', 'reply', 'message', 'member'], 'invalid')
export type ReportSubjectKind = v.InferOutput<typeof SubjectKind>
export const reportReasons = ['spam', 'insult', 'violence', 'sexual', 'private_data', 'other'] as const
const ReportReason = v.picklist(reportReasons, 'invalid')
export type ReportReason = v.InferOutput<typeof ReportReason>
/** The decisions of moderators. `restore` undoes `hide`. Replies cannot be hidden, only deleted. */
export const moderationDecisionActionSchema = v.picklist(
  ['dismiss', 'hide', 'restore', 'delete', 'warn', 'suspend'],
  'invalid',
)
export type ModerationDecisionAction = v.InferOutput<typeof moderationDecisionActionSchema>

/** A report, as its reporter sees it. The reporter learns whether something was done, but not what. */
export const ownModerationReportSchema = v.object({
  id: v.number(),
  kind: SubjectKind,
  reason: ReportReason,
  note: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  state: v.picklist(['open', 'acted', 'dismissed']),
})
export type OwnModerationReport = v.InferOutput<typeof ownModerationReportSchema>

/**
 * A message of moderators to the member about a decision: something that the member wrote was hidden,
 * restored or deleted, or the member was warned or suspended.
 */
export const moderationNoticeSchema = v.object({
  id: v.number(),
  action: moderationDecisionActionSchema,
  kind: SubjectKind,
  /**
   * The beginning of the post, the reply, the message or the text of the profile. Null if that text is
   * empty, for a message of a private chat, and from ninety days after the member has acknowledged the
   * notice.
   */
  excerpt: v.nullable(v.string()),
  note: v.string(),
  created_at: isoTimestampSchema,
})
export type ModerationNotice = v.InferOutput<typeof moderationNoticeSchema>

const caseFields = {
  id: v.number(),
  kind: SubjectKind,
  subject_id: v.number(),
  /** The id of the post of a reported reply; absent for other kinds, and after the reply was deleted. */
  post_id: v.exactOptional(v.number()),
  /** The kind of chat that a reported message is in; null for posts, replies and members. */
  chat: v.nullable(v.picklist(['private', 'group'])),
  /** The member whom the reports concern. */
  author: personSchema,
  created_at: isoTimestampSchema,
  closed_at: v.nullable(isoTimestampSchema),
  /** The newest decision; null while the case is open. */
  outcome: v.nullable(moderationDecisionActionSchema),
  reports_count: v.number(),
}
/**
 * A case as the list of the moderators shows it. All reports of one post, reply, message or member belong to
 * one case until moderators decide.
 */
export const listedModerationCaseSchema = v.object(caseFields)
export type ListedModerationCase = v.InferOutput<typeof listedModerationCaseSchema>
export const moderationEvidenceItemSchema = v.object({
  /** Null if the account does not exist any more. */
  user: v.nullable(personSchema),
  text: v.string(),
  images_count: v.number(),
  /** The names of the files of a message, besides pictures; absent if there are none. */
  file_names: v.exactOptional(v.array(v.string())),
  created_at: isoTimestampSchema,
  /**
   * True for the reported message, post, reply or profile; false for the messages around a reported message.
   */
  is_reported: v.boolean(),
})
export type ModerationEvidenceItem = v.InferOutput<typeof moderationEvidenceItemSchema>
export const moderationCaseSchema = v.object({
  ...caseFields,
  /** The reports of the case: at most two hundred, the newest ones. */
  reports: v.array(
    v.object({
      reporter: personSchema,
      reason: ReportReason,
      note: v.nullable(v.string()),
      created_at: isoTimestampSchema,
    }),
  ),
  decisions: v.array(
    v.object({
      /** Null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      action: moderationDecisionActionSchema,
      note: v.string(),
      created_at: isoTimestampSchema,
    }),
  ),
  /** Null if the viewer may not read it (see `reading`), and from ninety days after the decision. */
  evidence: v.nullable(v.array(moderationEvidenceItemSchema)),
  /** The pictures of a reported post or reply, while the case is open. They are not copied. */
  images: v.array(attachedImageSchema),
  /**
   * Whether the viewer may read the evidence. `open`: the viewer may read it. `closed`: it is the
   * excerpt of a private chat, and the viewer has not asked to open it. `waiting`: a second moderator
   * has to open it too. `alone`: there is no second moderator, so the viewer may open it alone.
   * `party`: the viewer is in the chat. `deleted`: the time for keeping it is over.
   */
  reading: v.picklist(['open', 'closed', 'waiting', 'alone', 'party', 'deleted']),
  /** The moderators who have opened the excerpt of a private chat, in order; empty for other cases. */
  openings: v.array(
    v.object({
      /** Null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      /** Whether nobody else could open it at that moment. */
      is_alone: v.boolean(),
      created_at: isoTimestampSchema,
    }),
  ),
})
export type ModerationCase = v.InferOutput<typeof moderationCaseSchema>

export const reportAndModerationNoticeEndpoints = {
  /**
   * Reports a post, a reply, a message or a member. If the viewer has reported the same already and
   * moderators have not decided yet, answers 201 too, and changes nothing.
   */
  create: defineEndpoint(
    'POST /api/reports',
    'member',
    v.object({
      kind: SubjectKind,
      id: idSchema,
      reason: ReportReason,
      note: createOptionalTextSchema(MAX_MODERATION_NOTE_LENGTH),
    }),
    outcomeSentenceResponseSchema,
    { status: 201, errorStatuses: [403, 404], limits: [{ max: 10, by: 'account' }] },
  ),
  mine: defineEndpoint(
    'GET /api/reports',
    'member',
    v.object(createPaginationParameterFields(20, 100)),
    v.array(ownModerationReportSchema),
    { paginated: true },
  ),
  /** The notices that the member has not acknowledged yet, oldest first. */
  notices: defineEndpoint(
    'GET /api/account/notices',
    'member',
    noInputSchema,
    v.pipe(v.array(moderationNoticeSchema), v.maxLength(MAX_MODERATION_NOTICES_PER_RESPONSE)),
  ),
  acknowledge: defineEndpoint(
    'POST /api/account/notices/:id/acknowledge',
    'member',
    idInputSchema,
    v.undefined(),
    {
      status: 204,
    },
  ),
}

const confirmed = { needsConfirmation: true } as const
export const moderationEndpoints = {
  /** The cases, newest first. Those about the viewer are not among them. */
  cases: defineEndpoint(
    'GET /api/moderation/cases',
    'moderator',
    v.object({
      state: v.optional(v.picklist(['open', 'closed'], 'invalid'), 'open'),
      ...createPaginationParameterFields(20, 100),
    }),
    v.array(listedModerationCaseSchema),
    { paginated: true },
  ),
  show: defineEndpoint('GET /api/moderation/cases/:id', 'moderator', idInputSchema, moderationCaseSchema, {
    errorStatuses: [404],
  }),
  /**
   * Asks to read the excerpt of a private chat. It is readable when a second moderator has asked too, or at
   * once if there is no other moderator.
   */
  open: defineEndpoint(
    'POST /api/moderation/cases/:id/open',
    'moderator',
    idInputSchema,
    moderationCaseSchema,
    confirmed,
  ),
  /** Decides about a case. Answers 409 if another moderator has decided meanwhile. */
  decide: defineEndpoint(
    'POST /api/moderation/cases/:id/decisions',
    'moderator',
    v.object({
      ...idInputSchema.entries,
      action: moderationDecisionActionSchema,
      /** The reason, for the person concerned and for the log. */
      note: createRequiredTextSchema(MAX_MODERATION_NOTE_LENGTH),
      /** The number of days of a suspension. */
      days: v.optional(
        v.pipe(
          v.number('integer'),
          v.integer('integer'),
          v.minValue(1, 'integer'),
          v.maxValue(365, 'integer'),
        ),
      ),
    }),
    moderationCaseSchema,
    { needsConfirmation: true, errorStatuses: [409] },
  ),
  moderators: defineEndpoint(
    'GET /api/moderators',
    'admin',
    v.object(createPaginationParameterFields(100, 500)),
    v.array(personSchema),
    {
      paginated: true,
    },
  ),
  appoint: defineEndpoint(
    'POST /api/moderators',
    'admin',
    v.object({ handle: createRequiredTextSchema(255) }),
    outcomeSentenceResponseSchema,
    confirmed,
  ),
  removeModerator: defineEndpoint(
    'DELETE /api/moderators/:id',
    'admin',
    idInputSchema,
    outcomeSentenceResponseSchema,
    confirmed,
  ),
}
