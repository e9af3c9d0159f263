declare module '#core/domain-events.ts' {
  // The domain events of chat. `user_id` is the author of a message, or the member who was added or
  // removed. `actor_id` is the member who made the change; if a member leaves, both ids are the member's.
  interface DomainEvents {
    /**
     * `quoted_user_id` is the author of the message that this one quotes; null without a quote, and if the
     * account of that author was deleted. `first_recipient_id` is the other person of a private chat, if
     * nobody has received a message there before.
     */
    // biome-ignore format: the generated table of events reads one line
    'message.created': { id: number; conversation_id: number; user_id: number; body: string; is_group: boolean; quoted_user_id: number | null; first_recipient_id: number | null }
    'message.edited': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    'message.deleted': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    /** `by_owner` is true if the actor is the owner of the group and has no admin rights. */
    'message.pinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
    'message.unpinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * `ids` are the messages that were emptied and marked as deleted when the account of their author was
     * deleted.
     */
    'messages.deleted_with_account': { ids: readonly number[] }
    /** `actor_id` is the member who created the group. */
    'group.created': { conversation_id: number; actor_id: number }
    /**
     * In this event and those below, `by_owner` is true if the actor made the change as the owner of the
     * group, without admin rights.
     */
    'group.renamed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.description_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * `user_id` is the new owner. `actor_id` is null if the group has passed to the member by itself,
     * because its former owner has left, was removed, was suspended, or has deleted the account.
     */
    // biome-ignore format: the generated table of events reads one line
    'group.owner_changed': { conversation_id: number; user_id: number; actor_id: number | null; by_owner: boolean }
    'group.picture_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.slow_mode_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /**
     * The group and all memberships are already deleted when this event is emitted. `name` and `member_ids`
     * were its name and its members.
     */
    // biome-ignore format: the generated table of events reads one line
    'group.deleted': { conversation_id: number; actor_id: number; by_owner: boolean; name: string; member_ids: readonly number[] }
    /**
     * The own read mark of the member `user_id` has moved forward to the message `last_read_id`, or the
     * member has opened a new group, whose mark is 0 if there is no message.
     */
    'conversation.read': { user_id: number; conversation_id: number; last_read_id: number }
    'group.member_added': { conversation_id: number; user_id: number; actor_id: number }
    'group.member_removed': { conversation_id: number; user_id: number; actor_id: number; by_owner: boolean }
  }
}
