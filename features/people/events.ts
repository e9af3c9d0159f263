declare module '#core/feature/events.ts' {
  interface DomainEvents {
    'member.registered': { id: number }
    'member.suspended': { id: number; suspended_by: number | null }
    'member.unsuspended': { id: number }
    /** After the owner of a mailbox has removed its address from the account. */
    'member.email_disowned': { id: number }
    /**
     * Before the row is removed. Listeners delete or detach rows without a cascade. With `keep_messages`,
     * messages to others stay without the author's name.
     */
    'member.deleted': { id: number; keep_messages: boolean }
    'follow.created': { follower_id: number; followed_id: number }
    'follow.deleted': { follower_id: number; followed_id: number }
    /** After the block has ended the follows between the two. */
    'member.blocked': { blocker_id: number; blocked_id: number }
    'member.unblocked': { blocker_id: number; blocked_id: number }
  }
}
