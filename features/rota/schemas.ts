import * as v from 'valibot'
import { endpoint, idInputSchema, idSchema, shortName } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { kinds, MAX_PLACES, MAX_TITLE } from './contract.ts'

const Job = v.object({
  id: v.number(),
  kind: v.picklist(kinds),
  /** Of a task what is to be done, of a car where and when it leaves. */
  title: v.string(),
  /** Of a car those beside the driver. */
  places: v.number(),
  taken: v.number(),
  /** Who drives; null for a task, which belongs to the event. */
  user: v.nullable(personSchema),
  /** Changes it, and takes people out. */
  can_change: v.boolean(),
  /** As far as the viewer may see them: perhaps fewer than `taken`. */
  people: v.array(v.object({ user: personSchema, by_guardian: v.boolean() })),
})
export type Job = v.InferOutput<typeof Job>

const Rota = v.object({
  jobs: v.array(Job),
  /** Adds tasks: those who manage the event. */
  can_plan: v.boolean(),
  /** The event was cancelled or has begun: nothing changes any more. */
  is_over: v.boolean(),
  repeats: v.boolean(),
  /** For whom the viewer may join and leave. */
  children: v.array(personSchema),
})
export type Rota = v.InferOutput<typeof Rota>

const what = {
  title: shortName(MAX_TITLE),
  places: v.pipe(
    v.number('integer'),
    v.integer('integer'),
    v.minValue(1, 'invalid'),
    v.maxValue(MAX_PLACES, 'invalid'),
  ),
}
const personInput = v.object({ ...idInputSchema.entries, for: v.optional(idSchema) })
const change = { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] } as const

/** Each change answers with all jobs of the date. */
export const rotaSchemas = {
  list: endpoint('member', idInputSchema, Rota, { errorStatuses: [404] }),
  /** A task by those who manage the event, also for the `following` dates; a car by whoever sees the event. */
  add: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      ...what,
      kind: v.picklist(kinds, 'invalid'),
      following: v.optional(v.boolean('invalid'), false),
    }),
    Rota,
    change,
  ),
  /** 422 for fewer places than are taken. */
  change: endpoint('member', v.object({ ...idInputSchema.entries, ...what }), Rota, change),
  /** Tells those who had joined. */
  remove: endpoint('member', idInputSchema, Rota, change),
  /** Who joins a car leaves the others of the date. 403 if it is full. */
  join: endpoint('member', personInput, Rota, change),
  /** 403 for others, except by who may change the job, which tells them. */
  leave: endpoint('member', personInput, Rota, change),
}

/** To the viewers of the other events of the post. */
const rotaEvents = { RotaChanged: v.object({ date_id: v.number() }) }
export interface RotaEvents {
  RotaChanged: v.InferOutput<typeof rotaEvents.RotaChanged>
}
