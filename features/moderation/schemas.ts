import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  noInputSchema,
  optionalText,
  outcomeSchema,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { fileSchema, imageSchema } from '#features/posts/schemas.ts'
import { MAX_NOTE_LENGTH, MAX_NOTICES, reportReasons } from './contract.ts'

/** Messages of the public chat have an endpoint of their own. */
const directKindSchema = v.picklist(['post', 'reply', 'message', 'member'], 'invalid')
export type DirectKind = v.InferOutput<typeof directKindSchema>
const SubjectKind = v.picklist([...directKindSchema.options, 'public_message'], 'invalid')
export type ReportKind = v.InferOutput<typeof SubjectKind>
const ReportReason = v.picklist(reportReasons, 'invalid')
export type ReportReason = v.InferOutput<typeof ReportReason>
export const reportFields = {
  reason: ReportReason,
  note: optionalText(MAX_NOTE_LENGTH),
}
/** `restore` undoes `hide`. Replies cannot be hidden, only deleted. */
export const actionSchema = v.picklist(['dismiss', 'hide', 'restore', 'delete', 'warn', 'suspend'], 'invalid')
export type DecisionAction = v.InferOutput<typeof actionSchema>

/** For the member who made it, who learns whether moderators did something, but not what. */
export const ownReportSchema = v.object({
  id: v.number(),
  kind: SubjectKind,
  reason: ReportReason,
  note: v.nullable(v.string()),
  created_at: isoTime,
  state: v.picklist(['open', 'acted', 'dismissed']),
})
export type OwnReport = v.InferOutput<typeof ownReportSchema>

export const noticeSchema = v.object({
  id: v.number(),
  action: actionSchema,
  kind: SubjectKind,
  /** The text's beginning. Null if empty, for private chats, and 90 days after acknowledgement. */
  excerpt: v.nullable(v.string()),
  note: v.string(),
  created_at: isoTime,
})
export type ModerationNotice = v.InferOutput<typeof noticeSchema>

const caseFields = {
  id: v.number(),
  kind: SubjectKind,
  subject_id: v.number(),
  /** For a reported reply that still exists. */
  post_id: v.exactOptional(v.number()),
  /** Null if no message was reported. */
  chat: v.nullable(v.picklist(['private', 'group'])),
  /** The author of the reported content, or the reported member. */
  author: personSchema,
  created_at: isoTime,
  closed_at: v.nullable(isoTime),
  /** The action of the newest decision; null while the case is open. */
  outcome: v.nullable(actionSchema),
  reports_count: v.number(),
}
/** All reports of one post, reply, message or member belong to one case until moderators decide. */
export const listedCaseSchema = v.object(caseFields)
export type ListedCase = v.InferOutput<typeof listedCaseSchema>
export const evidenceSchema = v.object({
  /** Null if the account does not exist any more. */
  user: v.nullable(personSchema),
  text: v.string(),
  images_count: v.number(),
  /** Attached files of a message, except pictures; absent if there are none. */
  file_names: v.exactOptional(v.array(v.string())),
  created_at: isoTime,
  /** False for the messages before and after a reported message. */
  is_reported: v.boolean(),
})
export type EvidenceItem = v.InferOutput<typeof evidenceSchema>
export const caseSchema = v.object({
  ...caseFields,
  /** The newest, at most two hundred. */
  reports: v.array(
    v.object({
      reporter: personSchema,
      reason: ReportReason,
      note: v.nullable(v.string()),
      created_at: isoTime,
    }),
  ),
  decisions: v.array(
    v.object({
      /** Null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      action: actionSchema,
      note: v.string(),
      created_at: isoTime,
    }),
  ),
  /** Copied texts. Null if the viewer may not read them (see `reading`), and 90 days after the decision. */
  evidence: v.nullable(v.array(evidenceSchema)),
  /** For a post or reply, while the case is open. The evidence contains no copies of them. */
  images: v.array(imageSchema),
  /** As `images`; absent if there are none. */
  files: v.exactOptional(v.array(fileSchema)),
  /**
   * `open`: the viewer may read the evidence. `closed`: it is from a private chat, and the viewer has not
   * asked to open it. `waiting`: a second moderator has to open it too. `alone`: there is no second
   * moderator. `party`: the viewer is a person of the chat. `deleted`: ninety days have passed since the
   * decision.
   */
  reading: v.picklist(['open', 'closed', 'waiting', 'alone', 'party', 'deleted']),
  /** Evidence from a private chat only, the first moderator first. */
  openings: v.array(
    v.object({
      /** Null if the account does not exist any more. */
      moderator: v.nullable(personSchema),
      /** True if no other moderator could open the evidence at that moment. */
      is_alone: v.boolean(),
      created_at: isoTime,
    }),
  ),
})
export type ModerationCase = v.InferOutput<typeof caseSchema>

export const reportSchemas = {
  /**
   * A second report of the same by the viewer, before moderators decide, answers 201 with another message, and
   * changes nothing. 409 after they have decided, unless the text has changed or a member is reported.
   */
  create: endpoint(
    'member',
    v.object({
      kind: directKindSchema,
      id: idSchema,
      ...reportFields,
    }),
    outcomeSchema,
    { status: 201, errorStatuses: [403, 404, 409], limits: [{ max: 10, by: 'account' }] },
  ),
  mine: endpoint('member', v.object(pageFields(20, 100)), v.array(ownReportSchema), { paginated: true }),
  /** Not yet acknowledged, oldest first. */
  notices: endpoint('member', noInputSchema, v.pipe(v.array(noticeSchema), v.maxLength(MAX_NOTICES))),
  acknowledge: endpoint('member', idInputSchema, v.undefined(), {
    status: 204,
  }),
}

const confirmed = { needsConfirmation: true } as const
export const moderationSchemas = {
  /** Newest first, without those about the viewer. */
  cases: endpoint(
    'moderator',
    v.object({
      state: v.optional(v.picklist(['open', 'closed'], 'invalid'), 'open'),
      ...pageFields(20, 100),
    }),
    v.array(listedCaseSchema),
    { paginated: true },
  ),
  show: endpoint('moderator', idInputSchema, caseSchema, {
    errorStatuses: [404],
  }),
  /** The evidence opens when two moderators have asked, or at once if there is no other moderator. */
  open: endpoint('moderator', idInputSchema, caseSchema, confirmed),
  /** 409 if another moderator has decided meanwhile. */
  decide: endpoint(
    'moderator',
    v.object({
      ...idInputSchema.entries,
      action: actionSchema,
      /** For the member concerned and for the audit log. */
      note: requiredText(MAX_NOTE_LENGTH),
      /** For `suspend` only. */
      days: v.optional(
        v.pipe(
          v.number('integer'),
          v.integer('integer'),
          v.minValue(1, 'integer'),
          v.maxValue(365, 'integer'),
        ),
      ),
    }),
    caseSchema,
    { needsConfirmation: true, errorStatuses: [409] },
  ),
  moderators: endpoint('admin', v.object(pageFields(100, 500)), v.array(personSchema), {
    paginated: true,
  }),
  appoint: endpoint('admin', v.object({ handle: requiredText(255) }), outcomeSchema, confirmed),
  removeModerator: endpoint('admin', idInputSchema, outcomeSchema, confirmed),
}
