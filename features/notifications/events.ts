import type { NotificationKind } from './contract.ts'

/** The notification, and the member who gets it. */
export interface NotificationRef {
  id: number
  user_id: number
}

declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /** Not for a repeated action, nor for one of a person whom the member may not see or has muted. */
    'notification.created': { id: number; user_id: number; kind: NotificationKind }
    /**
     * About one action, such as an announcement. There is no `notification.created` for these, and there may
     * be several of these events, each for some of the members.
     */
    'notifications.created': { kind: NotificationKind; notifications: readonly NotificationRef[] }
    /** A switch or the member's own quiet hours. */
    'notification.settings_changed': { user_id: number }
  }
}
