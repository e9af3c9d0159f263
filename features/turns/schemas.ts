import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  pageFields,
  shortName,
} from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_GROUPS, MAX_PEOPLE } from './contract.ts'

const turningGroupSchema = v.object({
  id: v.number(),
  name: v.string(),
  /** The name with the next number, such as 6b after 5b; null without a number. */
  next: v.nullable(v.string()),
  members_count: v.number(),
  /** Null: only admins manage it. */
  owner: v.nullable(personSchema),
})
export type TurningGroup = v.InferOutput<typeof turningGroupSchema>

const turningMemberSchema = v.object({ ...personSchema.entries, reading: v.exactOptional(v.string()) })

const Line = v.object({
  group: idSchema,
  /** Of the group that goes on; null if none does. */
  name: v.nullable(shortName(255)),
  /** Members who do not come along. */
  leaving: v.optional(limitedArray(idSchema, MAX_PEOPLE), []),
  joining: v.optional(limitedArray(idSchema, MAX_PEOPLE), []),
  /** One who comes along or joins; absent: as before, if the owner comes along. */
  owner: v.optional(v.nullable(idSchema)),
})
export type Line = v.InferOutput<typeof Line>
const Lines = v.object({ lines: limitedArray(Line, MAX_GROUPS) })

const plannedSchema = v.object({
  group: v.object({ id: v.number(), name: v.string() }),
  /** Null: the group ends. */
  name: v.nullable(v.string()),
  staying: v.number(),
  leaving: v.number(),
  joining: v.number(),
  /** Null: only admins manage it. */
  owner: v.nullable(personSchema),
})
export type Planned = v.InferOutput<typeof plannedSchema>

const turnSchema = v.object({
  id: v.number(),
  /** Null once the account is deleted. */
  user: v.nullable(personSchema),
  created_at: isoTime,
  groups_count: v.number(),
  undone_at: v.nullable(isoTime),
  can_undo: v.boolean(),
})
export type Turn = v.InferOutput<typeof turnSchema>

export const turnSchemas = {
  /** Those that have not ended, by id. */
  groups: endpoint('admin', v.object(pageFields(200, 500)), v.array(turningGroupSchema), { paginated: true }),
  members: endpoint(
    'admin',
    v.object({ ...idInputSchema.entries, ...pageFields(500, 2000) }),
    v.array(turningMemberSchema),
    { paginated: true },
  ),
  /** The newest twenty. */
  list: endpoint('admin', noInputSchema, v.array(turnSchema)),
  /** Changes nothing. */
  preview: endpoint('admin', Lines, v.array(plannedSchema)),
  make: endpoint('admin', Lines, turnSchema, { status: 201, needsConfirmation: true }),
  /** Within a day. New groups with a message, a post or an album stay. */
  undo: endpoint(
    'admin',
    idInputSchema,
    v.object({ turn: turnSchema, kept: v.array(v.object({ id: v.number(), name: v.string() })) }),
    { errorStatuses: [403, 404], needsConfirmation: true },
  ),
}
