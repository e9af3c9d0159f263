declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * The member `user_id` wrote a text that mentions the member `mentioned_id`, who may see the text and the
     * author. `source_id` is the id of the post, the reply or the message.
     */
    // biome-ignore format: the generated table of events reads one line
    'mention.created': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
    /** An edit removed the mention, or the text was deleted. */
    // biome-ignore format: the generated table of events reads one line
    'mention.deleted': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
  }
}
