declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * A text of the member `user_id` mentions the member `mentioned_id`, who may see the text and the author:
     * the text is new, an edit added the mention, or a moderator showed the hidden post again. There is no
     * such event for a member who gets another notification about the text. `source_id` is the id of the
     * post, the reply or the message.
     */
    // biome-ignore format: the generated table of events reads one line
    'mention.created': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
    /** An edit removed the mention, the text was deleted, or a moderator hid the post. */
    // biome-ignore format: the generated table of events reads one line
    'mention.deleted': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
  }
}
