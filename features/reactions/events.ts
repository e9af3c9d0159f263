declare module '#core/feature/events.ts' {
  // `author_id` wrote the post, reply or message to which `user_id` reacts. The deletion of a post, reply or
  // message emits none of these events for its reactions.
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'reaction.added': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
    // biome-ignore format: the generated table of events reads one line
    'reaction.removed': { subject: 'post' | 'reply' | 'message'; subject_id: number; author_id: number; user_id: number; emoji: string }
  }
}
