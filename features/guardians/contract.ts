import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of guardians of one child. */
export const MAX_GUARDIANS_PER_CHILD = 2
/** The maximum number of children of one guardian. */
export const MAX_CHILDREN_OF_GUARDIAN = 50

/** The maximum number of waiting requests that one response contains. */
export const MAX_CHILD_CONTACT_REQUESTS_PER_RESPONSE = 100

/** The schema of a day in the form YYYY-MM-DD. */
export const isoDateSchema = v.pipe(v.string('invalid'), v.isoDate('invalid'))

/** The mark of a child's account, as the child sees it. Without guardians, nobody allows new contacts. */
const ChildMark = v.object({
  /** The day from which the account is a child's no more. */
  ends_on: v.string(),
  guardians: v.array(personSchema),
})

/** The mark of a child's account, as admins see it, who name guardians by their handles. */
export const childAccountMarkForAdminsSchema = v.object({
  ends_on: v.string(),
  guardians: v.array(v.object({ ...personSchema.entries, handle: v.string() })),
})

/** A child, as its guardian sees it. */
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
 * A contact of a child, as its guardian sees it: a person with whom the child has contact, or for whom
 * there is a request or a decision. It does not contain messages.
 */
export const childContactSchema = v.object({
  person: personSchema,
  /**
   * Null if there is no request and no decision, for example because the person is in a common group or is a
   * guardian.
   */
  state: v.nullable(ContactState),
  /** Whether a common group allows the contact, whatever the state. */
  in_group: v.boolean(),
  /**
   * The person who asked for the contact. Null if neither asked, because the two already had contact or are
   * in a common group.
   */
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: v.nullable(isoTimestampSchema),
  decided_by: v.nullable(personSchema),
  decided_at: v.nullable(isoTimestampSchema),
  /** Whether the child follows the person, and whether the person follows the child. */
  child_follows: v.boolean(),
  follows_child: v.boolean(),
  /** The time of the newest private message; null if there is none. */
  last_message_at: v.nullable(isoTimestampSchema),
})
export type ChildContact = v.InferOutput<typeof childContactSchema>

/** A contact that waits for a decision. */
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

/** Something that the community has told a child, or done to it. */
export const noticeAboutChildSchema = v.object({
  id: v.number(),
  kind: ChildNoticeKind,
  /** The note of a moderator, the reason of a suspension, or the name of a group. */
  text: v.nullable(v.string()),
  ends_at: v.nullable(isoTimestampSchema),
  created_at: isoTimestampSchema,
})
export type NoticeAboutChild = v.InferOutput<typeof noticeAboutChildSchema>

const childPage = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(50, 200) })

export const guardianEndpoints = {
  /** The guardians of the current member; null unless the account is a child's. */
  own: defineEndpoint('GET /api/account/guardians', 'member', noInputSchema, v.nullable(ChildMark)),
  children: defineEndpoint(
    'GET /api/guardian/children',
    'member',
    noInputSchema,
    v.array(guardedChildSchema),
  ),
  /** The requests that wait, for all children of the current member, the oldest first. At most a hundred. */
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
  /**
   * Allows or refuses a contact. `known_state` is the state that the guardian saw: if the other guardian has
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
    { errorStatuses: [404, 409], limits: [{ max: 60, by: 'account' }] },
  ),
}
