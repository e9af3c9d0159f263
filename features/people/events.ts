declare module '#core/domain-events.ts' {
  interface DomainEvents {
    'member.registered': { id: number }
    'member.suspended': { id: number; suspended_by: number }
    'member.unsuspended': { id: number }
    /**
     * Announced before the row of the account is deleted, which deletes all rows that refer to it by a
     * foreign key with `on delete cascade`. Listeners delete or detach the others. With `keep_messages`,
     * messages to others stay without the author's name; without it they are deleted too.
     */
    'member.deleted': { id: number; keep_messages: boolean }
    'follow.created': { follower_id: number; followed_id: number }
    'follow.deleted': { follower_id: number; followed_id: number }
    /** Announced after both follows of the two people have ended. */
    'member.blocked': { blocker_id: number; blocked_id: number }
    'member.unblocked': { blocker_id: number; blocked_id: number }
  }
}
