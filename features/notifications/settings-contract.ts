import * as v from 'valibot'
import {
  areQuietHoursNotEmpty,
  quietHoursSchemaFields,
  timeZoneSchema,
} from '#core/community-settings-contract.ts'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'
import { type NotificationKind, notificationKindSchema } from './contract.ts'

/**
 * The kinds of notifications about reactions. They share one switch in the settings, which has the name of
 * the first kind.
 */
export const reactionNotificationKinds = [
  'reaction',
  'reply_reaction',
  'message_reaction',
] as const satisfies NotificationKind[]
/** Besides, the kind `server` has no switch: who looks after a server must hear of its faults. */
type KindWithoutSwitch = Exclude<(typeof reactionNotificationKinds)[number], 'reaction'> | 'server'
const hasSwitch = (kind: NotificationKind): kind is Exclude<NotificationKind, KindWithoutSwitch> =>
  kind === 'reaction' || (kind !== 'server' && !reactionNotificationKinds.some((one) => one === kind))

/**
 * The schema of the kinds that have a switch in the notification settings: the kinds of notifications, and
 * chat messages. All kinds about reactions share one switch, `reaction`.
 */
export const switchableNotificationKindSchema = v.picklist(
  ['message' as const, ...notificationKindSchema.options.filter(hasSwitch)],
  'invalid',
)
export type SwitchableNotificationKind = v.InferOutput<typeof switchableNotificationKindSchema>

/**
 * The channels on which members get notifications. `app`: the number at the bell icon, and the marks of new
 * notifications in the list. `push`: push messages to the member's devices. `mail`: the digest
 * (features/digest).
 */
export const notificationChannelSchema = v.picklist(['app', 'push', 'mail'], 'invalid')
export type NotificationChannel = v.InferOutput<typeof notificationChannelSchema>

/**
 * Returns whether notifications of a kind are ever sent on a channel. Chat messages do not use `app`, because
 * chats have a number of unread messages of their own there. A first message does not use `push`, because it
 * is pushed as a chat message.
 */
export const mayNotificationKindUseChannel = (
  kind: SwitchableNotificationKind,
  channel: NotificationChannel,
) => (kind === 'message' ? channel !== 'app' : kind !== 'first_message' || channel !== 'push')

const NotificationSwitch = v.pipe(
  v.object({
    kind: switchableNotificationKindSchema,
    channel: notificationChannelSchema,
    is_on: v.boolean('invalid'),
  }),
  v.check(({ kind, channel }) => mayNotificationKindUseChannel(kind, channel), 'invalid'),
)
export type NotificationSwitch = v.InferOutput<typeof NotificationSwitch>

/** The quiet hours of a member: two times of day, with their time zone such as Asia/Tokyo. */
const ZonedQuietHours = v.pipe(
  v.object({ ...quietHoursSchemaFields, time_zone: timeZoneSchema }),
  v.check((hours) => areQuietHoursNotEmpty(hours), 'invalid'),
)

const NotificationSettings = v.object({
  /**
   * The switches in the notification settings: one for each kind and each channel that the kind uses. A
   * switch that the member has never changed is on.
   */
  switches: v.array(NotificationSwitch),
  /** The quiet hours that the member has set; null for none. */
  quiet_hours: v.nullable(ZonedQuietHours),
  /**
   * The quiet hours that the admins have set for the whole community. They apply in addition to the member's
   * own; null for none.
   */
  community_quiet_hours: v.nullable(ZonedQuietHours),
})
export type NotificationSettings = v.InferOutput<typeof NotificationSettings>

export const notificationSettingEndpoints = {
  get: defineEndpoint('GET /api/notification-settings', 'member', noInputSchema, NotificationSettings),
  /**
   * Saves one switch, or the member's quiet hours, or both. A field that is absent from the input
   * changes nothing.
   */
  save: defineEndpoint(
    'PATCH /api/notification-settings',
    'member',
    v.object({
      switch: v.optional(NotificationSwitch),
      quiet_hours: v.optional(v.nullable(ZonedQuietHours)),
    }),
    NotificationSettings,
  ),
}
