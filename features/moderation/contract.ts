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

/** The kinds that `POST /api/reports` takes. Messages of the public chat have an endpoint of their own. */
const directReportSubjectKindSchema = v.picklist(['post', 'reply', 'message', 'member'], 'invalid')
export type DirectReportSubjectKind = v.InferOutput<typeof directReportSubjectKindSchema>
const SubjectKind = v.picklist([...directReportSubjectKindSchema.options, 'public_message'], 'invalid')
export type ReportSubjectKind = v.InferOutput<typeof SubjectKind>
export const reportReasons = ['spam', 'insult', 'violence', 'sexual', 'private_data', 'other'] as const
const ReportReason = v.picklist(reportReasons, 'invalid')
export type ReportReason = v.InferOutput<typeof ReportReason>
/** What a member says about the reported thing. */
export const reportFields = {
  reason: ReportReason,
  note: createOptionalTextSchema(MAX_MODERATION_NOTE_LENGTH),
}
/**
 * The actions that moderators can decide on. `restore` undoes `hide`. Replies cannot be hidden, only deleted.
 */
export const moderationDecisionActionSchema = v.picklist(
  ['dismiss', 'hide', 'restore', 'delete', 'warn', 'suspend'],
  'invalid',
)
export type ModerationDecisionAction = v.InferOutput<typeof moderationDecisionActionSchema>

/**
 * A report as the API returns it to the member who made it. This member learns whether moderators did
 * something, but not what.
 */
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
 * A notice that tells a member about a decision of moderators: something that the member wrote was hidden,
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
  /**
   * The id of the post to which a reported reply belongs; absent for other kinds, and after the reply was
   * deleted.
   */
  post_id: v.exactOptional(v.number()),
  /** The kind of chat that a reported message is in; null for posts, replies and members. */
  chat: v.nullable(v.picklist(['private', 'group'])),
  /** The member whom the reports concern: the author of the reported content, or the reported member. */
  author: personSchema,
  created_at: isoTimestampSchema,
  closed_at: v.nullable(isoTimestampSchema),
  /** The action of the newest decision about the case; null while the case is open. */
  outcome: v.nullable(moderationDecisionActionSchema),
  reports_count: v.number(),
}
/**
 * A moderation case as the list of cases shows it. All reports of one post, reply, message or member belong
 * to one case until moderators decide.
 */
export const listedModerationCaseSchema = v.object(caseFields)
export type ListedModerationCase = v.InferOutput<typeof listedModerationCaseSchema>
export const moderationEvidenceItemSchema = v.object({
  /** The member who wrote this text; null if the account does not exist any more. */
  user: v.nullable(personSchema),
  text: v.string(),
  images_count: v.number(),
  /**
   * The names of the files that are attached to a reported message, except pictures; absent if there are
   * none.
   */
  file_names: v.exactOptional(v.array(v.string())),
  created_at: isoTimestampSchema,
  /**
   * True for the reported message, post, reply or profile; false for the messages before and after a reported
   * message.
   */
  is_reported: v.boolean(),
})
export type ModerationEvidenceItem = v.InferOutput<typeof moderationEvidenceItemSchema>
export const moderationCaseSchema = v.object({
  ...caseFields,
  /** The newest reports of the case, at most two hundred. */
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
      /** The moderator who decided; null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      action: moderationDecisionActionSchema,
      note: v.string(),
      created_at: isoTimestampSchema,
    }),
  ),
  /**
   * The copied texts that were reported. Null if the viewer may not read them (see `reading`), and from
   * ninety days after the decision.
   */
  evidence: v.nullable(v.array(moderationEvidenceItemSchema)),
  /**
   * The pictures of a reported post or reply, while the case is open. The evidence contains no copies of
   * them.
   */
  images: v.array(attachedImageSchema),
  /**
   * Whether the viewer may read the evidence. `open`: the viewer may read it. `closed`: the evidence is an
   * excerpt of a private chat, and the viewer has not asked to open it. `waiting`: a second moderator has to
   * open it too. `alone`: there is no second moderator, so the viewer may open it alone. `party`: the viewer
   * may not read it, as a person of the chat. `deleted`: the evidence was deleted, because ninety days have
   * passed since the decision.
   */
  reading: v.picklist(['open', 'closed', 'waiting', 'alone', 'party', 'deleted']),
  /**
   * The moderators who have opened the evidence from a private chat, the first one first; empty for other
   * cases.
   */
  openings: v.array(
    v.object({
      /** The moderator who opened the evidence; null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      /** Whether no other moderator could open the evidence at that moment. */
      is_alone: v.boolean(),
      created_at: isoTimestampSchema,
    }),
  ),
})
export type ModerationCase = v.InferOutput<typeof moderationCaseSchema>

export const reportAndModerationNoticeEndpoints = {
  /**
   * Reports a post, a reply, a message or a member to the moderators. If the viewer has reported the same
   * already and moderators have not decided yet, answers 201 too, and changes nothing.
   */
  create: defineEndpoint(
    'POST /api/reports',
    'member',
    v.object({
      kind: directReportSubjectKindSchema,
      id: idSchema,
      ...reportFields,
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
  /** Lists the moderators' notices that the member has not acknowledged yet, oldest first. */
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
  /** Lists the moderation cases, newest first, without those about the viewer. */
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
   * Records that the viewer asks to read the evidence from a private chat. Moderators can read it when two of
   * them have asked, or at once if there is no other moderator.
   */
  open: defineEndpoint(
    'POST /api/moderation/cases/:id/open',
    'moderator',
    idInputSchema,
    moderationCaseSchema,
    confirmed,
  ),
  /**
   * Stores a moderator's decision about a case, and does what it says. Answers 409 if another moderator has
   * decided meanwhile.
   */
  decide: defineEndpoint(
    'POST /api/moderation/cases/:id/decisions',
    'moderator',
    v.object({
      ...idInputSchema.entries,
      action: moderationDecisionActionSchema,
      /** The reason of the decision, for the member concerned and for the audit log. */
      note: createRequiredTextSchema(MAX_MODERATION_NOTE_LENGTH),
      /** The number of days of the suspension, if the action is `suspend`. */
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
