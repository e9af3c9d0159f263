declare module '#core/feature/events.ts' {
  // `user_id` is the member who was added or removed, `actor_id` made the change; if a member leaves, both are
  // the member.
  interface DomainEvents {
    'group.created': { conversation_id: number; actor_id: number }
    /** Here and below, `by_owner`: the actor is the owner of the group and no admin. */
    'group.renamed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.description_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /** `user_id` is the new owner. `actor_id` is null if the group has passed automatically. */
    // biome-ignore format: the generated table of events reads one line
    'group.owner_changed': { conversation_id: number; user_id: number; actor_id: number | null; by_owner: boolean }
    'group.picture_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.writers_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.ended': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.reopened': { conversation_id: number; actor_id: number; by_owner: boolean }
    'group.slow_mode_changed': { conversation_id: number; actor_id: number; by_owner: boolean }
    /** Group and memberships are already deleted; `name` and `member_ids` are those it had. */
    // biome-ignore format: the generated table of events reads one line
    'group.deleted': { conversation_id: number; actor_id: number; by_owner: boolean; name: string; member_ids: readonly number[] }
    'group.member_added': { conversation_id: number; user_id: number; actor_id: number }
    'group.member_removed': { conversation_id: number; user_id: number; actor_id: number; by_owner: boolean }
  }
}
