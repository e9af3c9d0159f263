declare module '#core/feature/events.ts' {
  // `user_id` is the author of the message.
  interface DomainEvents {
    /**
     * `quoted_user_id` is null if nothing is quoted, or its author's account was deleted.
     * `first_recipient_id` is the other person of a private chat in which nobody has received a message;
     * otherwise null.
     */
    // biome-ignore format: the generated table of events reads one line
    'message.created': { id: number; conversation_id: number; user_id: number; body: string; is_group: boolean; quoted_user_id: number | null; first_recipient_id: number | null }
    'message.edited': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    'message.deleted': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    /** `by_owner`: the actor is the owner of the group and no admin. */
    'message.pinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
    'message.unpinned': { id: number; conversation_id: number; actor_id: number; by_owner: boolean }
  }
}
