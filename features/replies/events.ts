declare module '#core/feature/events.ts' {
  interface DomainEvents {
    /**
     * `mentioned_id` wrote the answered reply; null if the post itself or a reply of the same author is
     * answered.
     */
    // biome-ignore format: the generated table of events reads one line
    'reply.created': { id: number; post_id: number; user_id: number; post_user_id: number; mentioned_id: number | null }
    'reply.edited': { id: number; user_id: number; post_id: number }
    'reply.deleted': { id: number; post_id: number; user_id: number; actor_id: number }
  }
}
