declare module '#core/feature/events.ts' {
  interface DomainEvents {
    'digest.queued': { user_id: number }
    /** The mail server accepted it. */
    'digest.sent': { user_id: number }
    /** Tried again later. `until` is the end of the quiet hours; null for `mail_server`. */
    // biome-ignore format: the generated table of events reads one line
    'digest.deferred': { user_id: number; reason: 'quiet_hours' | 'mail_server'; until: string | null }
    /**
     * `not_needed`: the member has visited, has read everything or does not want it any more. `refused`: for
     * good. `broken_off`: the process ended while sending, so the mail server may have accepted it.
     */
    // biome-ignore format: the generated table of events reads one line
    'digest.dropped': { user_id: number; reason: 'not_needed' | 'refused' | 'broken_off' }
  }
}
