declare module '#core/domain-events.ts' {
  // The domain events of chat. In events about a message, `user_id` is its author; in events about the
  // members of a group, `user_id` is the member who was added or removed. `actor_id` is the member who made
  // the change; if a member leaves, both ids are the member's.
  interface DomainEvents {
    /**
     * `quoted_user_id` is the author of the message that the new message quotes; null if it quotes none, or
     * if the account of that author was deleted. `first_recipient_id` is the other person of a private chat
     * if nobody has received a message there before; otherwise null.
     */
    // biome-ignore format: the generated table of events reads one line
    'message.created': { id: number; conversation_id: number; user_id: number; body: string; is_group: boolean; quoted_user_id: number | null; first_recipient_id: number | null }
    'message.edited': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    'message.deleted': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    /**
     * `by_owner` is true if the member who pinned the message (`actor_id`) is the owner of the group and has
     * no admin rights.
     */
    'message.pinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
    'message.unpinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * `ids` are the ids of the messages that were emptied and marked as deleted because the account of their
     * author was deleted.
     */
    'messages.deleted_with_account': { ids: readonly number[] }
    /** `actor_id` is the id of the member who created the group. */
    'group.created': { conversation_id: number; actor_id: number }
    /**
     * In this event and the events below it, `by_owner` is true if the member who made the change is the
     * owner of the group and has no admin rights.
     */
    'group.renamed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.description_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * `user_id` is the new owner of the group. `actor_id` is null if the group has passed to the new owner
     * automatically, because its former owner has left, was removed, was suspended, or has deleted the
     * account.
     */
    // biome-ignore format: the generated table of events reads one line
    'group.owner_changed': { conversation_id: number; user_id: number; actor_id: number | null; by_owner: boolean }
    'group.picture_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.slow_mode_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * When this event is emitted, the group and all its memberships are already deleted. `name` is the name
     * that the group had, and `member_ids` are the ids of the members that it had.
     */
    // biome-ignore format: the generated table of events reads one line
    'group.deleted': { conversation_id: number; actor_id: number; by_owner: boolean; name: string; member_ids: readonly number[] }
    /**
     * Emitted when the own read mark of the member `user_id` has moved forward to the message `last_read_id`,
     * or when the member has opened a new group, whose `last_read_id` is 0 if it has no message.
     */
    'conversation.read': { user_id: number; conversation_id: number; last_read_id: number }
    'group.member_added': { conversation_id: number; user_id: number; actor_id: number }
    'group.member_removed': { conversation_id: number; user_id: number; actor_id: number; by_owner: boolean }
  }
}
