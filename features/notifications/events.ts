import type { RawBuilder, SqlBool } from 'kysely'
import type { NotificationKind } from './contract.ts'

/** The id of a notification, and the id of the member who gets it. */
export interface NotificationIdWithMemberId {
  id: number
  user_id: number
}

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * Somebody did something that is added to a notification of the member `user_id`. The transaction does
     * not wait for the database, so `id`, the id of the notification, and `isNew` are SQL expressions for its
     * later statements. `isNew` is false if the person did the same before and took it back, such as a like,
     * or if the member may not see the person or has muted the person.
     */
    'notification.changed': {
      id: RawBuilder<number>
      isNew: RawBuilder<SqlBool>
      user_id: number
      kind: NotificationKind
    }
    /**
     * Each member in `notifications` got a new notification about the same action, such as the
     * announcement of a post. There is no `notification.changed` for these. One action may have several of
     * these events, each for some of the members.
     */
    'notifications.created': { kind: NotificationKind; notifications: readonly NotificationIdWithMemberId[] }
    /**
     * The member `user_id` switched a kind of notifications on or off for a channel, or changed their own
     * quiet hours.
     */
    'notification.settings_changed': { user_id: number }
  }
}
