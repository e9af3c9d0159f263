import type { PushItemKind } from './tables.ts'

export interface PushItemSubject {
  kind: PushItemKind
  subject_id: number
}

/**
 * Without a request to the push service. `unavailable`: the member may not see it any more. `switched_off`:
 * the member wants none of this kind. `too_old` and `too_many`: the limits of the queue.
 */
export type PushDropReason =
  | 'read'
  | 'muted'
  | 'unavailable'
  | 'switched_off'
  | 'too_old'
  | 'too_many'
  | 'device_removed'

declare module '#core/feature/events.ts' {
  // `user_id` is the member to whom the device belongs. `device`: browser and system; null if unknown.
  interface DomainEvents {
    /**
     * `delayed`: tried again. `gone`: the device is no longer known. `reason`: the HTTP status, `timeout`,
     * `unreachable` or `paused`; null if accepted. `until`: the earliest next attempt, if named or paused.
     * `items` is empty for a test.
     */
    // biome-ignore format: the generated table of events reads one line
    'push.answered': { user_id: number; device: string | null; host: string; items: readonly PushItemSubject[]; result: 'accepted' | 'refused' | 'gone' | 'delayed'; reason: string | null; until: string | null }
    /** Until the end of quiet hours. */
    // biome-ignore format: the generated table of events reads one line
    'push.held': { user_id: number; device: string | null; items: readonly PushItemSubject[]; until: string }
    // biome-ignore format: the generated table of events reads one line
    'push.dropped': { user_id: number; device: string | null; items: readonly PushItemSubject[]; reason: PushDropReason }
  }
}
