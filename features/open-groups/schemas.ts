import * as v from 'valibot'
import {
  channel,
  endpoint,
  idInputSchema,
  isoTime,
  nullableReading,
  optionalText,
  outcomeSchema,
  pageFields,
} from '#core/schemas.ts'
import { namedGroupSchema, shownGroupSchema } from '#features/conversations/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

/** `closed`: the owner adds people. `ask`: everybody may ask to join. `open`: everybody may join. */
export const accessSchema = v.picklist(['closed', 'ask', 'open'], 'invalid')
export type Access = v.InferOutput<typeof accessSchema>

/** `declined`: lately, so that the viewer may not ask again yet. */
export const joinStateSchema = v.picklist(['none', 'waiting', 'declined', 'member'])
export type JoinState = v.InferOutput<typeof joinStateSchema>

const openGroupSchema = v.object({
  ...shownGroupSchema.entries,
  reading: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  /** Without those whom the viewer may not see. */
  members_count: v.number(),
  /** `ask` also if the group is open, but the viewer was removed from it. `closed` while the viewer's request waits. */
  access: accessSchema,
  state: joinStateSchema,
  /** The viewer may not join or ask for want of room. */
  is_full: v.exactOptional(v.literal(true)),
})
export type OpenGroup = v.InferOutput<typeof openGroupSchema>

const groupDetailsSchema = v.object({
  ...openGroupSchema.entries,
  /** The viewer may change who can join. */
  manages: v.exactOptional(v.literal(true)),
  /** Until when the link to the group can be used; absent without one, and for who does not manage the group. */
  link_until: v.exactOptional(isoTime),
  /** Requests on which the viewer decides; absent if none waits. */
  waiting_count: v.exactOptional(v.number()),
})
export type GroupDetails = v.InferOutput<typeof groupDetailsSchema>

const joinedSchema = v.object({ message: v.string(), state: joinStateSchema })
const limits = [{ max: 30, by: 'account' }] as const

export const openGroupSchemas = {
  /**
   * The groups that the viewer may join or ask to join, those of them that the viewer is in, and those with a
   * request of the viewer. By the reading or, without one, the name, in the order of 五十音. `q` is a part of the
   * name or the reading. Not those whose owner the viewer may not see.
   */
  list: endpoint(
    'member',
    v.object({
      q: optionalText(255),
      ...pageFields(30, 100),
      /** The reading or, without one, the name of `after`: the next page begins there also if it is gone. */
      after_name: optionalText(255),
    }),
    v.array(openGroupSchema),
    { paginated: true },
  ),
  /** Also a closed one, for its members and admins. 404 for others. */
  show: endpoint('member', idInputSchema, groupDetailsSchema, { errorStatuses: [404] }),
  /** Joins, or asks. The answer says which. 404 for a closed group, 422 if it is full. */
  join: endpoint('member', idInputSchema, joinedSchema, { limits, errorStatuses: [403, 404] }),
  /** Does nothing without a request that waits. */
  takeBack: endpoint('member', idInputSchema, outcomeSchema, { limits }),
}

export const accessSchemas = {
  /** For admins and the owner of the group. Requests that wait stay. */
  set: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      access: accessSchema,
      reading: v.optional(nullableReading(255)),
    }),
    outcomeSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others', limits },
  ),
}

const tokenInputSchema = v.object({ token: v.pipe(v.string('string'), v.maxLength(100, 'max:100')) })
const linkSchema = v.object({
  /** Shown only this once. */
  token: v.string(),
  expires_at: isoTime,
})

export const linkSchemas = {
  /** Ends the link of before. For admins and the owner of the group, as `end`. */
  create: endpoint('member', idInputSchema, linkSchema, {
    ...{ status: 201, errorStatuses: [403, 404], needsConfirmation: 'others', limits },
  }),
  end: endpoint('member', idInputSchema, outcomeSchema, {
    ...{ errorStatuses: [403, 404], needsConfirmation: 'others', limits },
  }),
  /** The group, also a closed one. 404 for a link that was ended or renewed, or has expired. */
  open: endpoint('member', tokenInputSchema, openGroupSchema, { errorStatuses: [404], limits }),
  /** Joins; asks if the member was removed before, or a child would get a new contact. */
  join: endpoint('member', tokenInputSchema, joinedSchema, { errorStatuses: [403, 404], limits }),
}

const groupRequestSchema = v.object({
  id: v.number(),
  group: namedGroupSchema,
  person: v.object({ ...personSchema.entries, reading: v.exactOptional(v.string()) }),
  created_at: isoTime,
  /** The person was in the group, and was removed. */
  was_removed: v.exactOptional(v.literal(true)),
  /** Somebody in the group or the person is a child, whose guardians have not allowed all contacts: admins decide. */
  needs_admin: v.exactOptional(v.literal(true)),
})
export type GroupRequest = v.InferOutput<typeof groupRequestSchema>

const decidedSchema = v.object({
  message: v.string(),
  /** `passed_on`: only an admin may accept it, and admins have been told. */
  state: v.picklist(['accepted', 'declined', 'passed_on']),
})

export const requestSchemas = {
  /** Those on which the viewer decides: of the groups they own, and for an admin of all that have no owner or need an admin. */
  list: endpoint('member', v.object(pageFields(50, 200)), v.array(groupRequestSchema), { paginated: true }),
  /** Once more changes nothing. 409 if it was declined before. */
  accept: endpoint('member', idInputSchema, decidedSchema, {
    errorStatuses: [403, 404, 409],
    needsConfirmation: 'others',
  }),
  /** Once more changes nothing. 409 if it was accepted before. The person is not notified. */
  decline: endpoint('member', idInputSchema, decidedSchema, {
    errorStatuses: [403, 404, 409],
    needsConfirmation: 'others',
  }),
}

export const openGroupChannelSchemas = {
  list: channel({ OpenGroupsChanged: v.object({}) }),
}
