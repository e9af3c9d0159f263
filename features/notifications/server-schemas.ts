import * as v from 'valibot'

/**
 * `disk_low` is the early warning, `disk_full` the bound below which uploads are refused. New names come
 * last, because notifications store their positions.
 */
export const conditionSchema = v.picklist([
  'backup',
  'disk_low',
  'disk_full',
  'mail',
  'push',
  'certificate',
  'audit_log',
])
export type ServerCondition = v.InferOutput<typeof conditionSchema>

const conditions: readonly ServerCondition[] = conditionSchema.options

/** The position, from 1 on. */
export const conditionId = (condition: ServerCondition) => conditions.indexOf(condition) + 1

export const readCondition = (notification: { subject_id: number; newest_source_id: number }) => ({
  condition: conditions[notification.subject_id - 1]!,
  is_over: notification.newest_source_id % 2 === 1,
})
