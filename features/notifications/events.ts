import type { NotificationKind } from './contract.ts'

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /** Somebody did something that the member `user_id` is told. It may be read already, or hidden. */
    'notification.changed': { id: number; user_id: number; kind: NotificationKind }
  }
}
