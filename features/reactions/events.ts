declare module '#core/domain-events.ts' {
  // `author_id` is the id of the author of the post, reply or message, and `user_id` the id of the member who
  // reacts. The deletion of a post, reply or message deletes its reactions too, but emits none of these
  // events for them.
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'reaction.added': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
    // biome-ignore format: the generated table of events reads one line
    'reaction.removed': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
  }
}
