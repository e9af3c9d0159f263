declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * Emitted before an invitation that names a group is stored. A listener throws if the member with the id
     * `actor_id` does not belong to this group.
     */
    'invitation.group_named': { group_id: number; actor_id: number }
    /**
     * Emitted after a person has registered with an invitation that names a group. `inviter_id` is the id of
     * the member who made the invitation.
     */
    'invitation.used': { user_id: number; group_id: number; inviter_id: number }
  }
}
