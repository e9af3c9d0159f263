import type { NotificationKind } from './contract.ts'

/** The id of a notification and of its member. */
export interface NotificationOfMember {
  id: number
  user_id: number
}

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * Somebody acted, and the act was added to the notification `id` of the member `user_id`. There is no
     * event for an act that the person took back and repeats, such as a like. The acts of people whom the
     * member may not see or has muted have no event either.
     */
    'notification.changed': { id: number; user_id: number; kind: NotificationKind }
    /**
     * Each of these members got a new notification about the same act. There is no `notification.changed` for
     * them. One act may have several of these events, each for some of the members.
     */
    'notifications.created': { kind: NotificationKind; notifications: readonly NotificationOfMember[] }
    /**
     * The member switched a kind of notifications on or off for a channel, or changed their own quiet
     * hours.
     */
    'notification.settings_changed': { user_id: number }
  }
}
