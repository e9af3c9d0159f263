declare module '#core/domain-events.ts' {
  // The domain events of digests. A digest is a mail that tells a member who is away what is new.
  interface DomainEvents {
    'digest.queued': { user_id: number }
    /** The mail server accepted the digest of the member `user_id`. */
    'digest.sent': { user_id: number }
    /**
     * The digest of the member `user_id` was not sent now, and sending is tried again later. `reason` is
     * `quiet_hours` or `mail_server`. `until` is the end of the quiet hours; null for `mail_server`.
     */
    // biome-ignore format: the generated table of events reads one line
    'digest.deferred': { user_id: number; reason: 'quiet_hours' | 'mail_server'; until: string | null }
    /**
     * The digest of the member `user_id` is not sent. `not_needed`: the member has visited or read
     * everything, or does not want the mail any more. `refused`: the mail server refused it for good.
     * `broken_off`: the process ended while it was sending the mail, so the mail server may have accepted it.
     */
    // biome-ignore format: the generated table of events reads one line
    'digest.dropped': { user_id: number; reason: 'not_needed' | 'refused' | 'broken_off' }
  }
}
