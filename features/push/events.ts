import type { PushItemKind } from './tables.ts'

/** The chat message or notification that an item in a push queue stands for. */
export interface PushItemSubject {
  kind: PushItemKind
  subject_id: number
}

/**
 * The reasons why an item is removed from the queue of a device without a request to the push service.
 * `read`: the member has read the message or notification. `muted`: the member has muted the conversation or
 * the person. `unavailable`: the member may not see it any more. `switched_off`: the member wants no push
 * messages of this kind. `too_old` and `too_many`: the limits of the queue. `device_removed`: the member has
 * removed the device.
 */
export type PushDropReason =
  | 'read'
  | 'muted'
  | 'unavailable'
  | 'switched_off'
  | 'too_old'
  | 'too_many'
  | 'device_removed'

declare module '#core/domain-events.ts' {
  // The domain events of the feature `push`. In each of them, `user_id` is the id of the member to whom the
  // device belongs. `device` is the browser and system of the device; null if unknown.
  interface DomainEvents {
    /**
     * A request to the push service at `host` has ended. `delayed`: sending is tried again. `gone`: the push
     * service no longer knows the device. `reason` is the HTTP status, or `timeout`, `unreachable` or
     * `paused`; null if the push service accepted the message. `until` is the earliest time of the next
     * attempt, if the push service named one or gets no requests for a while. `items` is empty for a test.
     */
    // biome-ignore format: the generated table of events reads one line
    'push.answered': { user_id: number; device: string | null; host: string; items: readonly PushItemSubject[]; result: 'accepted' | 'refused' | 'gone' | 'delayed'; reason: string | null; until: string | null }
    /** The items in the queue of a device wait for the end of quiet hours, at the time `until`. */
    // biome-ignore format: the generated table of events reads one line
    'push.held': { user_id: number; device: string | null; items: readonly PushItemSubject[]; until: string }
    // biome-ignore format: the generated table of events reads one line
    'push.dropped': { user_id: number; device: string | null; items: readonly PushItemSubject[]; reason: PushDropReason }
  }
}
