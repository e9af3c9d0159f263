declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /** An invitation names a group. A listener throws if `actor_id` may not name it. */
    'invitation.group_named': { group_id: number; actor_id: number }
    /** A person has registered with an invitation that names a group. `inviter_id` has made it. */
    'invitation.used': { user_id: number; group_id: number; inviter_id: number }
  }
}
