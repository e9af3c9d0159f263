import * as v from 'valibot'
import {
  createPageParameterFields,
  defineEndpoint,
  idInputSchema,
  idSchema,
  noInputSchema,
  timestampSchema,
} from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'

/** The maximum number of guardians of one child. */
export const MAX_GUARDIANS = 2
/** The maximum number of children of one guardian. */
export const MAX_CHILDREN_OF_GUARDIAN = 50

/** The maximum number of waiting requests that one response contains. */
export const MAX_LISTED_CONTACT_REQUESTS = 100

/** The schema of a day in the form YYYY-MM-DD. */
export const daySchema = v.pipe(v.string('invalid'), v.isoDate('invalid'))

/** The mark of a child's account, as the child sees it. Without guardians, nobody allows new contacts. */
const ChildMark = v.object({
  /** The day from which the account is a child's no more. */
  ends_on: v.string(),
  guardians: v.array(Person),
})
export type ChildMark = v.InferOutput<typeof ChildMark>

/** The mark of a child's account, as admins see it, who name guardians by their handles. */
export const ManagedChildMark = v.object({
  ends_on: v.string(),
  guardians: v.array(v.object({ ...Person.entries, handle: v.string() })),
})
export type ManagedChildMark = v.InferOutput<typeof ManagedChildMark>

/** A child, as its guardian sees it. */
export const GuardedChild = v.object({ ...Person.entries, ends_on: v.string(), guardians: v.array(Person) })
export type GuardedChild = v.InferOutput<typeof GuardedChild>

const contactStates = ['requested', 'allowed', 'refused'] as const
const ContactState = v.picklist(contactStates, 'invalid')
export type ContactState = v.InferOutput<typeof ContactState>

/**
 * A contact of a child, as its guardian sees it: a person with whom the child has contact, or for whom
 * there is a request or a decision. It does not contain messages.
 */
export const ChildContact = v.object({
  person: Person,
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
  asked_at: v.nullable(timestampSchema),
  decided_by: v.nullable(Person),
  decided_at: v.nullable(timestampSchema),
  /** Whether the child follows the person, and whether the person follows the child. */
  child_follows: v.boolean(),
  follows_child: v.boolean(),
  /** The time of the newest private message; null if there is none. */
  last_message_at: v.nullable(timestampSchema),
})
export type ChildContact = v.InferOutput<typeof ChildContact>

/** A contact that waits for a decision. */
export const ContactRequest = v.object({
  child: Person,
  person: Person,
  asked_by: v.nullable(v.picklist(['child', 'person'])),
  asked_at: timestampSchema,
})
export type ContactRequest = v.InferOutput<typeof ContactRequest>

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
export type ChildNoticeKind = v.InferOutput<typeof ChildNoticeKind>

/** Something that the community has told a child, or done to it. */
export const ChildNotice = v.object({
  id: v.number(),
  kind: ChildNoticeKind,
  /** The note of a moderator, the reason of a suspension, or the name of a group. */
  text: v.nullable(v.string()),
  ends_at: v.nullable(timestampSchema),
  created_at: timestampSchema,
})
export type ChildNotice = v.InferOutput<typeof ChildNotice>

const childPage = v.object({ ...idInputSchema.entries, ...createPageParameterFields(50, 200) })

export const guardianEndpoints = {
  /** The guardians of the current member; null unless the account is a child's. */
  own: defineEndpoint('GET /api/account/guardians', 'member', noInputSchema, v.nullable(ChildMark)),
  children: defineEndpoint('GET /api/guardian/children', 'member', noInputSchema, v.array(GuardedChild)),
  /** The requests that wait, for all children of the current member, the oldest first. At most a hundred. */
  requests: defineEndpoint('GET /api/guardian/requests', 'member', noInputSchema, v.array(ContactRequest)),
  /**
   * Stores that the member has seen what the page of guardians shows, so that the app does not redirect the
   * member to that page again.
   */
  see: defineEndpoint('POST /api/guardian/seen', 'member', noInputSchema, v.undefined(), { status: 204 }),
  contacts: defineEndpoint(
    'GET /api/guardian/children/:id/contacts',
    'member',
    childPage,
    v.array(ChildContact),
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
    v.array(ChildNotice),
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
    ChildContact,
    { errorStatuses: [404, 409], limits: [{ max: 60, by: 'account' }] },
  ),
}
