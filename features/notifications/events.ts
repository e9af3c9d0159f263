import type { NotificationKind } from './contract.ts'

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * Somebody acted, and the act was added to the notification `id` of the member `user_id`. The
     * notification is not always unread: it stays read if the member has muted the person, or has read the
     * same act before. The member may also be unable to see the person.
     */
    'notification.changed': { id: number; user_id: number; kind: NotificationKind }
    /**
     * The member switched a kind of notifications on or off for a channel, or changed their own quiet
     * hours.
     */
    'notification.settings_changed': { user_id: number }
  }
}
