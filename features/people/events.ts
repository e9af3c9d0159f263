declare module '#core/domain-events.ts' {
  interface DomainEvents {
    'member.registered': { id: number }
    'member.suspended': { id: number; suspended_by: number | null }
    'member.unsuspended': { id: number }
    /** The event is emitted after the owner of a mailbox has removed its address from an account. */
    'member.email_disowned': { id: number }
    /**
     * The event is emitted before the row of the deleted account is removed. Foreign keys with `on delete
     * cascade` delete most other rows; listeners delete or detach the rest. With `keep_messages`, messages to
     * others stay without the author's name; otherwise they are deleted too.
     */
    'member.deleted': { id: number; keep_messages: boolean }
    'follow.created': { follower_id: number; followed_id: number }
    'follow.deleted': { follower_id: number; followed_id: number }
    /** The event is emitted after a block has ended the follows between the two people. */
    'member.blocked': { blocker_id: number; blocked_id: number }
    'member.unblocked': { blocker_id: number; blocked_id: number }
  }
}
