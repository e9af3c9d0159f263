declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /** Before it is stored. A listener throws if `actor_id` does not belong to the group. */
    'invitation.group_named': { group_id: number; actor_id: number }
    /** After a registration with an invitation that names a group. `inviter_id` made the invitation. */
    'invitation.used': { user_id: number; group_id: number; inviter_id: number }
    /** Registered, approved by an admin, or logged in with a card for the first time. Not for accounts that the operator created. */
    'member.joined': { id: number; inviter_id: number | null; approver_id: number | null }
    /** Admins can see it from now on. */
    'join_request.entered': { id: number }
    /** Decided, or deleted. */
    'join_request.ended': { id: number }
  }
}
