import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { personalNotificationKindSchema } from '#features/notifications/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of guardians of one child. */
export const MAX_GUARDIANS_PER_CHILD = 2
/** The maximum number of children of one guardian. */
export const MAX_CHILDREN_OF_GUARDIAN = 50

/** The maximum number of waiting contact requests that one response contains. */
export const MAX_CHILD_CONTACT_REQUESTS_PER_RESPONSE = 100

/** The maximum number of rows of attempts that one response contains. */
export const MAX_ATTEMPTS = 100

/** The schema of a date in the form YYYY-MM-DD. */
export const isoDateSchema = v.pipe(v.string('invalid'), v.isoDate('invalid'))

/**
 * The schema of the mark of a child's account, as the child sees it. If `guardians` is empty, nobody can
 * allow new contacts of the child.
 */
const ChildMark = v.object({
  /** The date (YYYY-MM-DD) from which the account does not count as a child's any more. */
  ends_on: v.string(),
  guardians: v.array(personSchema),
})

/**
 * The schema of the mark of a child's account, as admins see it: with the handles of the guardians, because
 * admins choose guardians by their handles.
 */
export const childAccountMarkForAdminsSchema = v.object({
  ends_on: v.string(),
  guardians: v.array(v.object({ ...personSchema.entries, handle: v.string() })),
})

/** The schema of a child, as a guardian sees it: with the end of the mark, and all guardians of the child. */
export const guardedChildSchema = v.object({
  ...personSchema.entries,
  ends_on: v.string(),
  guardians: v.array(personSchema),
})
export type GuardedChild = v.InferOutput<typeof guardedChildSchema>

const contactStates = ['requested', 'allowed', 'refused'] as const
const ContactState = v.picklist(contactStates, 'invalid')
export type ChildContactState = v.InferOutput<typeof ContactState>

/**
 * The schema of a contact of a child, as a guardian sees it: a person with whom the child has contact, or
 * for whom there is a request or a decision. It does not contain messages.
 */
export const childContactSchema = v.object({
  person: personSchema,
  /**
   * The state of the request for the contact. Null if there is no request and no decision, for example
   * because the person is in a common group or is a guardian.
   */
  state: v.nullable(ContactState),
  /** Whether the child and the person are in a common group, which allows the contact whatever `state` is. */
  in_group: v.boolean(),
  /**
   * The one who asked for the contact: the child or the other person. Null if neither asked, because the two
   * already had contact or are in a common group.
   */
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: v.nullable(isoTimestampSchema),
  decided_by: v.nullable(personSchema),
  decided_at: v.nullable(isoTimestampSchema),
  /**
   * `child_follows`: whether the child follows the person. `follows_child`: whether the person follows the
   * child.
   */
  child_follows: v.boolean(),
  follows_child: v.boolean(),
  /** The time of the newest private message between the child and the person; null if there is none. */
  last_message_at: v.nullable(isoTimestampSchema),
})
export type ChildContact = v.InferOutput<typeof childContactSchema>

/** The schema of a request for a contact of a child, which waits for the decision of a guardian. */
export const childContactRequestSchema = v.object({
  child: personSchema,
  person: personSchema,
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: isoTimestampSchema,
})
export type ChildContactRequest = v.InferOutput<typeof childContactRequestSchema>

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
const ChildNoticeKind = v.picklist(childNoticeKinds)
export type NoticeAboutChildKind = v.InferOutput<typeof ChildNoticeKind>

/**
 * The schema of a notice for guardians: what the community has told their child, or done to the child's
 * account.
 */
export const noticeAboutChildSchema = v.object({
  id: v.number(),
  kind: ChildNoticeKind,
  /** The text of the notice: the note of a moderator, the reason of a suspension, or the name of a group. */
  text: v.nullable(v.string()),
  ends_at: v.nullable(isoTimestampSchema),
  created_at: isoTimestampSchema,
})
export type NoticeAboutChild = v.InferOutput<typeof noticeAboutChildSchema>

/**
 * What somebody tried that was not brought to the other: the kind of the notification that it would have
 * made. A refused private message counts as `first_message`.
 */
export type AttemptKind = v.InferOutput<typeof personalNotificationKindSchema>

/** What a child and a person whom a guardian has refused tried to bring to each other, without any text. */
const attemptSchema = v.object({
  person: personSchema,
  by: v.picklist(['child', 'person']),
  kind: personalNotificationKindSchema,
  count: v.number(),
  /** The time of the newest of these attempts. */
  last_at: isoTimestampSchema,
})
export type Attempt = v.InferOutput<typeof attemptSchema>

const childPage = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(50, 200) })

export const guardianEndpoints = {
  /**
   * Returns the guardians of the current member and the end of the mark; null unless the account of the
   * current member is a child's.
   */
  own: defineEndpoint('GET /api/account/guardians', 'member', noInputSchema, v.nullable(ChildMark)),
  children: defineEndpoint(
    'GET /api/guardian/children',
    'member',
    noInputSchema,
    v.array(guardedChildSchema),
  ),
  /**
   * Returns the contact requests that wait for a decision, for all children of the current member, the oldest
   * first. At most a hundred.
   */
  requests: defineEndpoint(
    'GET /api/guardian/requests',
    'member',
    noInputSchema,
    v.array(childContactRequestSchema),
  ),
  /**
   * Stores that the member has seen what the page of guardians shows, so that the app does not redirect the
   * member to that page again.
   */
  see: defineEndpoint('POST /api/guardian/seen', 'member', noInputSchema, v.undefined(), { status: 204 }),
  contacts: defineEndpoint(
    'GET /api/guardian/children/:id/contacts',
    'member',
    childPage,
    v.array(childContactSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  groups: defineEndpoint(
    'GET /api/guardian/children/:id/groups',
    'member',
    childPage,
    v.array(v.object({ id: v.number(), name: v.string() })),
    { paginated: true, errorStatuses: [404] },
  ),
  notices: defineEndpoint(
    'GET /api/guardian/children/:id/notices',
    'member',
    childPage,
    v.array(noticeAboutChildSchema),
    { paginated: true, errorStatuses: [404] },
  ),
  /** Returns at most `MAX_ATTEMPTS` kinds of attempts of the last year, the newest first. */
  attempts: defineEndpoint(
    'GET /api/guardian/children/:id/attempts',
    'member',
    idInputSchema,
    v.array(attemptSchema),
    { errorStatuses: [404] },
  ),
  /**
   * Allows or refuses a contact. To allow it, the guardian must have confirmed who they are (423), because
   * families share devices. `known_state` is the state that the guardian saw: if the other guardian has
   * decided meanwhile, the response is 409, and the first decision counts.
   */
  decide: defineEndpoint(
    'PUT /api/guardian/children/:id/contacts/:person',
    'member',
    v.object({
      ...idInputSchema.entries,
      person: idSchema,
      state: v.picklist(['allowed', 'refused'], 'invalid'),
      known_state: ContactState,
    }),
    childContactSchema,
    { errorStatuses: [404, 409], limits: [{ max: 60, by: 'account' }], needsConfirmation: 'approval' },
  ),
}
