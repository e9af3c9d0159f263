import * as v from 'valibot'
import { endpoint, idInputSchema, noInputSchema } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

/** Whose new posts the member is told of. */
export const modeSchema = v.picklist(['everybody', 'chosen', 'nobody'], 'invalid')
export type Mode = v.InferOutput<typeof modeSchema>

const Choices = v.object({
  mode: modeSchema,
  /** The member has not decided: it depends on the size of the community. */
  is_default: v.boolean(),
  /** By name. Used while `mode` is `chosen`. Without those whom the member may not see. */
  people: v.array(personSchema),
  /** By name. Without those that the member is not in. */
  groups: v.array(v.object({ id: v.number(), name: v.string() })),
})
export type Choices = v.InferOutput<typeof Choices>

const limits = [{ max: 60, by: 'account' }] as const

/** Only the member sees the choices; nobody is told that they were chosen. */
export const newPostSchemas = {
  get: endpoint('member', noInputSchema, Choices),
  save: endpoint('member', v.object({ mode: modeSchema }), Choices, { limits }),
  /** Of a member who hears of nobody, this is the first choice of a new list. */
  choosePerson: endpoint('member', idInputSchema, Choices, { limits, errorStatuses: [404] }),
  /** Also of a person whom the member may not see any more. */
  dropPerson: endpoint('member', idInputSchema, Choices, { limits }),
  /** Posts for this group. 403 if the member is not in it. */
  chooseGroup: endpoint('member', idInputSchema, Choices, { limits, errorStatuses: [403] }),
  dropGroup: endpoint('member', idInputSchema, Choices, { limits }),
}
