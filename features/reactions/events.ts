declare module '#core/domain-events.ts' {
  // The domain events of reactions. `author_id` is the author of the post, reply or message, and `user_id`
  // the member who reacts. When the post, reply or message itself is deleted, its reactions are deleted
  // without these events.
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'reaction.added': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
    // biome-ignore format: the generated table of events reads one line
    'reaction.removed': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
  }
}
