declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /** The member's own mark moved forward, or they opened a new group (`last_read_id` 0 if it is empty). */
    'conversation.read': { user_id: number; conversation_id: number; last_read_id: number }
    /** Emptied and marked as deleted with the account of their author. */
    'messages.deleted_with_account': { ids: readonly number[] }
    /**
     * The account of `user_id` is being deleted: its messages and private chats belong to a former member from
     * now on; null if it had none.
     */
    'chats.handed_over': { user_id: number; former_id: number | null }
  }
}
