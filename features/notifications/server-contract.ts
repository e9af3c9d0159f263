import * as v from 'valibot'

/**
 * The states of the server of which admins are told. `disk_low` is the early warning, `disk_full` the bound
 * below which uploads are refused. New names come last, because notifications store their positions.
 */
export const serverConditionSchema = v.picklist([
  'backup',
  'disk_low',
  'disk_full',
  'mail',
  'push',
  'certificate',
  'audit_log',
])
export type ServerCondition = v.InferOutput<typeof serverConditionSchema>

const conditions: readonly ServerCondition[] = serverConditionSchema.options

/** Returns the `subject_id` of the notifications about a condition: its position, from 1 on. */
export const toServerSubjectId = (condition: ServerCondition) => conditions.indexOf(condition) + 1

/** Returns what a notification of the kind `server` is about. */
export const readCondition = (notification: { subject_id: number; newest_source_id: number }) => ({
  condition: conditions[notification.subject_id - 1]!,
  is_over: notification.newest_source_id % 2 === 1,
})
