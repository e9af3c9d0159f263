declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * `post_user_id` is the id of the author of the post. `mentioned_id` is the id of the author of the reply
     * that the new reply answers; null if it answers the post itself or a reply of its own author.
     */
    // biome-ignore format: the generated table of events reads one line
    'reply.created': { id: number; post_id: number; user_id: number; post_user_id: number; mentioned_id: number | null }
    'reply.edited': { id: number; user_id: number; post_id: number }
    'reply.deleted': { id: number; post_id: number; user_id: number; actor_id: number }
  }
}
