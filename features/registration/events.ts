declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * An invitation that names a group is about to be stored. A listener throws if `actor_id` is not a
     * member of this group.
     */
    'invitation.group_named': { group_id: number; actor_id: number }
    /**
     * A person has registered with an invitation that names a group. `inviter_id` is the maker of the
     * invitation.
     */
    'invitation.used': { user_id: number; group_id: number; inviter_id: number }
  }
}
