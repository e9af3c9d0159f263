declare module '#core/domain-events.ts' {
  // `user_id` is the author of a message. In events of members, `actor_id` adds or removes `user_id`; a
  // member who leaves is both.
  interface DomainEvents {
    'message.created': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    'message.edited': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    'message.deleted': { id: number; conversation_id: number; user_id: number; is_group: boolean }
    /** `actor_id` is the member who created the group. */
    'group.created': { conversation_id: number; actor_id: number }
    'group.renamed': { conversation_id: number; actor_id: number }
    /** Announced after the deletion, which also ends all memberships. */
    'group.deleted': { conversation_id: number; actor_id: number }
    'group.member_added': { conversation_id: number; user_id: number; actor_id: number }
    'group.member_removed': { conversation_id: number; user_id: number; actor_id: number }
  }
}
