import * as v from 'valibot'
import { endpoint, idInputSchema, idSchema, isoTime, noInputSchema, pageFields } from '#core/schemas.ts'
import { personalKindSchema } from '#features/notifications/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

/** YYYY-MM-DD. */
export const isoDateSchema = v.pipe(v.string('invalid'), v.isoDate('invalid'))

/** As the child sees it. If `guardians` is empty, nobody can allow new contacts of the child. */
const ChildMark = v.object({
  /** The date (YYYY-MM-DD) from which the account does not count as a child's any more. */
  ends_on: v.string(),
  guardians: v.array(personSchema),
})

/** With handles, by which admins choose guardians. */
export const childMarkSchema = v.object({
  ends_on: v.string(),
  guardians: v.array(v.object({ ...personSchema.entries, handle: v.string() })),
})

export const childSchema = v.object({
  ...personSchema.entries,
  ends_on: v.string(),
  guardians: v.array(personSchema),
})
export type GuardedChild = v.InferOutput<typeof childSchema>

const contactStates = ['requested', 'allowed', 'refused'] as const
const contactStateSchema = v.picklist(contactStates, 'invalid')
export type ContactState = v.InferOutput<typeof contactStateSchema>

/** A person with whom the child has contact, or for whom there is a request or a decision. No messages. */
export const contactSchema = v.object({
  person: personSchema,
  /** Null without request and decision, for example for a person in a common group or a guardian. */
  state: v.nullable(contactStateSchema),
  /** True allows the contact whatever `state` is. */
  in_group: v.boolean(),
  /** Null if neither asked, because the two had contact already or are in a common group. */
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: v.nullable(isoTime),
  decided_by: v.nullable(personSchema),
  decided_at: v.nullable(isoTime),
  child_follows: v.boolean(),
  follows_child: v.boolean(),
  /** The newest private message between the two; null if there is none. */
  last_message_at: v.nullable(isoTime),
})
export type ChildContact = v.InferOutput<typeof contactSchema>

export const requestSchema = v.object({
  child: personSchema,
  person: personSchema,
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: isoTime,
})
export type ContactRequest = v.InferOutput<typeof requestSchema>

const childNoticeKinds = [
  'warned',
  'content_hidden',
  'content_restored',
  'content_deleted',
  'suspended',
  'unsuspended',
  'group_added',
  'group_removed',
] as const
const noticeKindSchema = v.picklist(childNoticeKinds)
export type ChildNoticeKind = v.InferOutput<typeof noticeKindSchema>

/** About what the community has told the child, or done to the account. */
export const noticeSchema = v.object({
  id: v.number(),
  kind: noticeKindSchema,
  /** The note of a moderator, the reason of a suspension, or the name of a group. */
  text: v.nullable(v.string()),
  ends_at: v.nullable(isoTime),
  created_at: isoTime,
})
export type ChildNotice = v.InferOutput<typeof noticeSchema>

/** The kind of notification that was held back. A refused private message is a `first_message`. */
export type AttemptKind = v.InferOutput<typeof personalKindSchema>

/** Held back between a child and a person whom a guardian has refused, without any text. */
const attemptSchema = v.object({
  person: personSchema,
  by: v.picklist(['child', 'person']),
  kind: personalKindSchema,
  count: v.number(),
  /** The newest of these attempts. */
  last_at: isoTime,
})
export type Attempt = v.InferOutput<typeof attemptSchema>

const childPage = v.object({ ...idInputSchema.entries, ...pageFields(50, 200) })

export const guardianSchemas = {
  /** Null unless the account of the current member is a child's. */
  own: endpoint('member', noInputSchema, v.nullable(ChildMark)),
  children: endpoint('member', noInputSchema, v.array(childSchema)),
  /** For all children of the current member, the oldest first. At most a hundred. */
  requests: endpoint('member', noInputSchema, v.array(requestSchema)),
  /** What the member sees now is not new (`guardian_news`) any more. */
  see: endpoint('member', noInputSchema, v.undefined(), { status: 204 }),
  contacts: endpoint('member', childPage, v.array(contactSchema), { paginated: true, errorStatuses: [404] }),
  groups: endpoint('member', childPage, v.array(v.object({ id: v.number(), name: v.string() })), {
    paginated: true,
    errorStatuses: [404],
  }),
  notices: endpoint('member', childPage, v.array(noticeSchema), { paginated: true, errorStatuses: [404] }),
  /** At most `MAX_ATTEMPTS` of the last year, the newest first. */
  attempts: endpoint('member', idInputSchema, v.array(attemptSchema), { errorStatuses: [404] }),
  /**
   * To allow, the guardian must have confirmed who they are (423), because families share devices. 409 if the
   * other guardian has decided since `known_state`, and the first decision counts.
   */
  decide: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      person: idSchema,
      state: v.picklist(['allowed', 'refused'], 'invalid'),
      known_state: contactStateSchema,
    }),
    contactSchema,
    { errorStatuses: [404, 409], limits: [{ max: 60, by: 'account' }], needsConfirmation: 'approval' },
  ),
}
